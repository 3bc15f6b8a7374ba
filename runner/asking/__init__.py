"""Asks a backend: prompts, decoding, speculative verification, sampling and the answer cache.

prompts, direct_prompts   prompt formats
backend                   the interface to a model
drafts, ask, answer       speculative verification and plain decoding
forced_modes, sampling    injected traces; temperature and seeds
answer_cache              answers that runs share
"""
