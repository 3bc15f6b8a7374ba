"""The hazards, one per module, discovered automatically. To add a hazard, add a module with an example."""
