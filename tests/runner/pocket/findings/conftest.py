from collections.abc import Mapping
from pathlib import Path

import pytest

from analyze.tokens.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Tokenizer]:
    from runner.pocket.findings import vocabularies as module

    patch = pytest.MonkeyPatch()
    patch.setattr(module, "_VOCABULARY_PROGRAMS", 200)
    folder: Path = tmp_path_factory.mktemp("vocabularies")
    made = module.make_vocabularies(folder)
    patch.undo()
    return made
