"""What several backends share; no backend itself."""
