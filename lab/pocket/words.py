"""Names and words for generated programs, from the source of the standard library.

The names are those that its functions give to their variables; the words are the parts of these names and of the
docstrings. The lists depend on the Python version only.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sysconfig
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from string import ascii_letters, ascii_lowercase

_WORD = re.compile(r"(?<![A-Za-z])[a-z]{2,12}(?![A-Za-z])")
_COMMON: list[str] = re.findall(
    r"\w+", "s x n a b c i k lst nums text words arr d data result res out value values key item items string count"
)
_PREFIXES = ("_t", "t", "v", "x", "var", "var_", "tmp", "a", "n", "_", "s", "arg", "p", "item_", "val")
_FUNCTIONS: list[str] = re.findall(
    r"\w+",
    "f f f f g func solve process check transform compute main_solution get_result convert helper count_items",
)


@cache
def library_names() -> tuple[str, ...]:
    """Names of variables, most frequent first: about 15,000."""
    return tuple(name for name, _ in _counted()[0].most_common())


@cache
def library_words() -> tuple[str, ...]:
    """Lower-case words of 2 to 12 letters that occur more than once, most frequent first: about 10,000."""
    return tuple(word for word, count in _counted()[1].most_common() if count > 1)


@cache
def _counted() -> tuple[Counter[str], Counter[str]]:
    names: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names[node.id] += 1
            elif isinstance(node, ast.arg):
                names[node.arg] += 1
            elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                words.update(_WORD.findall(ast.get_docstring(node) or ""))
    for name, count in list(names.items()):
        words.update(dict.fromkeys(_WORD.findall(name), count))
        if len(name) > 24 or not is_free(name):
            del names[name]
    return names, words


def is_free(name: str) -> bool:
    """Whether a variable may have this name: no keyword, builtin or dunder."""
    return not (keyword.iskeyword(name) or hasattr(builtins, name) or name.startswith("__"))


class Naming:
    """Draws the names of one program in one style; each name is drawn once.

    A style is usual short names, names of the standard library, unrelated words, numbered names such as `_t0`, or a
    mixture, so that no name tells the type or the use of its variable.
    """

    def __init__(self, rng: Random) -> None:
        """rng: the source of randomness."""
        self._rng = rng
        self._taken: set[str] = set()
        self._prefix = rng.choice(_PREFIXES)
        styles = (self._usual, self._library, self._words, self._numbered, self._letters)
        self._styles = (rng.choice(styles),) if rng.random() < 0.7 else styles

    def variable(self) -> str:
        """A new name for a variable."""
        return self._fresh(lambda: self._rng.choice(self._styles)())

    def function(self) -> str:
        """A new name for a function."""
        if self._rng.random() < 0.7:
            return self._fresh(lambda: self._rng.choice(_FUNCTIONS))
        return self._fresh(lambda: "_".join(self._rng.choice(library_words()) for _ in range(self._rng.randint(1, 3))))

    def _fresh(self, draw: Callable[[], str]) -> str:
        for _ in range(20):
            name = draw()
            if name not in self._taken and is_free(name):
                self._taken.add(name)
                return name
        name = next(found for number in range(1000) if (found := f"{self._prefix}{number}") not in self._taken)
        self._taken.add(name)
        return name

    def _usual(self) -> str:
        return self._rng.choice(_COMMON)

    def _library(self) -> str:
        names = library_names()
        return names[int(len(names) * self._rng.random() ** 3)]

    def _words(self) -> str:
        words = "_".join(self._rng.choice(library_words()) for _ in range(self._rng.choice((1, 1, 1, 2))))
        return words if self._rng.random() < 0.85 else words.title().replace("_", "")

    def _numbered(self) -> str:
        return f"{self._prefix}{self._rng.randint(0, 12)}"

    def _letters(self) -> str:
        letters = "".join(self._rng.choices(ascii_lowercase, k=self._rng.choice((1, 1, 2, 3))))
        return letters if self._rng.random() < 0.9 else letters + self._rng.choice(ascii_letters)
