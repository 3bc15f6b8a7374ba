"""The folder of a run: `samples.jsonl`, its JSON Schema, and the settings in `run.json`."""
