"""Names as Python reads them: which are other than written, and that nothing else is touched."""

import libcst as cst
import pytest

from rewrite.syntax.normalized_names import NormalizedName, normalize_names
from rewrite.syntax.tree import walk

SOURCES = {
    "a parameter and a variable of a class": "class A:\n    def f(self, __x):\n        __y = __x\n        return __y\n",
    "bases and decorators stand outside": "class B:\n    @__d\n    class __C(__D):\n        __e = 1\n",
    "a class of underscores mangles nothing": "class _:\n    __x = 1\n",
    "names of two underscores on both sides": "class A:\n    __slots__ = ()\n    __x_ = 1\n    __y__ = 2\n",
    "outside of classes": "__x = 1\ndef f(__y):\n    return __x\n",
    "a ligature, in a class and outside": "\ufb01 = 1\nclass A:\n    __\ufb01 = \ufb01\n",
}


def as_python_reads(source: str) -> set[str]:
    """The names in what CPython compiles."""
    found: set[str] = set()
    codes = [compile(source, "<names>", "exec")]
    while codes:
        code = codes.pop()
        found |= {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
        codes += [one for one in code.co_consts if isinstance(one, type(code))]
    return found


def names_in(node: cst.CSTNode) -> set[str]:
    return {name.value for name in walk(node) if isinstance(name, cst.Name)}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_names_are_those_that_python_sees(source: str) -> None:
    module = normalize_names(cst.parse_module(source), source)
    seen = {name for name in as_python_reads(source) if not name.endswith("__")}  # a class body stores some of its own
    assert seen <= names_in(module)
    assert module.code == source


def test_an_attribute_stands_for_itself() -> None:
    source = "class A:\n    __x = 1\n    def f(self):\n        return self.__x\n"
    assert names_in(normalize_names(cst.parse_module(source), source)) == {"A", "_A__x", "f", "self", "__x"}


def test_what_is_read_as_written_is_the_same_node() -> None:
    source = "import os\nclass A:\n    def f(self, __x):\n        return __x\n    def g(self):\n        return os.sep\n"
    module = cst.parse_module(source)
    new = normalize_names(module, source)
    assert new.body[0] is module.body[0]
    old_class, new_class = module.body[1], new.body[1]
    assert isinstance(old_class, cst.ClassDef)
    assert isinstance(new_class, cst.ClassDef)
    assert new_class.body.body[1] is old_class.body.body[1]
    assert sum(isinstance(node, NormalizedName) for node in walk(new)) == 2
