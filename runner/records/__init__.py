"""What a run leaves in its folder: `samples.jsonl`, its schema, and the settings it is about."""
