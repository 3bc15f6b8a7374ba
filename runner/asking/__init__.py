"""How a question becomes an answer.

prompts, direct_prompts   prompt formats
backend                   the interface to a model
drafts, ask, answer       speculative verification and plain decoding
forced_modes, sampling    injected traces; temperature and seeds
cache                     answers kept between runs
"""
