"""Where the tests find the repository, and the shared data beside it, which need not be there."""

from pathlib import Path

from lab.published_data import data_folder

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
DATA = data_folder() or SHARED / "data"
