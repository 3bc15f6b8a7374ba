"""The placebo: a rewrite that exposes no value and only renames local variables, at equal token count.

Each name gets a common one with as many tokens (`rewrite.baselines.equal_length_names`), so the program and its trace
keep their length. What a model gains on programs rewritten so, it gains by being asked again in other words.

Only names that no program can observe are renamed: variables of functions and comprehensions, and, if the calls are
known, parameters of functions that are only called and that no call names (`rewrite.analysis.direct_calls`; without
calls parameters stay, since callers may name them). These names stay: variables of modules and classes, `global` and
`nonlocal` ones, names of functions, classes and imports, variables that are deleted or may be read before they are
bound (the error message names them), and all that `f"{name=}"` prints. A module that inspects variables (`locals()`,
frames, code objects) stays as it is. Lines, their number and their order never change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import libcst as cst

from analyze.tokens.tokenizer import default_tokenizer
from rewrite.analysis.direct_calls import find_direct_calls
from rewrite.analysis.reflection import find_reflection
from rewrite.analysis.renaming import Variable, renamable_variables
from rewrite.analysis.scopes import ModuleScopes
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.anf.rewrite_result import ExpressionChange, Rewritten, SkippedExpression
from rewrite.baselines import PLACEBO
from rewrite.baselines.equal_length_names import Substitutes, equal_length_names
from rewrite.syntax.source_map import PrintedModule, SourcePosition

# In addition to `rewrite.analysis.reflection`: programs with these names may inspect the code of a function.
_LOOKING = re.compile(
    r"\b(?:__code__|__closure__|__kwdefaults__|__annotations__|inspect|symtable|ast|dis|traceback"
    r"|gettrace|settrace|setprofile)\b"
)


def rename(
    source: str, module: cst.Module, calls: Sequence[str] = (), substitutes: Substitutes | None = None
) -> Rewritten:
    """The program with its local variables renamed.

    Args:
        source: the program.
        module: its tree, as `rewrite.pipeline.driver.parse` gives it.
        calls: all calls of the program, if they are known.
        substitutes: the new names (default: of equal length in the default vocabulary).

    Returns:
        The source itself if nothing can be renamed, with the reason in `left`.
    """
    old, scopes = PrintedModule(module), collect_scopes(module)
    lines = tuple(SourcePosition(number, 1) for number in range(1, len(source.split("\n")) + 1))
    why = _refusal(module, source, scopes)
    uses = {} if why else renamable_variables(module, scopes, find_direct_calls(module, calls))
    if substitutes is None and uses:
        substitutes = equal_length_names(source, default_tokenizer())
    names = _new_names(uses, old, substitutes or {})
    if not names:
        reason = why or "it has no local variable that only it can see and that has a name of equal token length"
        return Rewritten(source, changed=False, left=(SkippedExpression(1, reason),), positions=lines)
    by_id = {id(node): name for key, name in names.items() for node in uses[key]}
    new = module.visit(_Renaming(by_id))
    assert isinstance(new, cst.Module)
    changes = tuple(
        ExpressionChange(PLACEBO, *old.position_of(uses[key][0]), f"{key[1]} → {name}") for key, name in names.items()
    )
    return Rewritten(new.code, changed=True, changes=changes, positions=lines)


def _refusal(module: cst.Module, source: str, scopes: ModuleScopes) -> str:
    every = list(scopes)
    seen = find_reflection(module, source, scopes)
    looking = next((name for scope in every for name in sorted(scope.reflection)), None)
    found = _LOOKING.search(source)
    if looking or found:
        return f"the program may look at its variables ({looking or (found and found[0])})"
    if seen.everywhere or seen.module or seen.changes or seen.replaced:
        return "the program may look at its variables"
    return "the program takes names from another module (import *)" if scopes.module.star_import else ""


def _new_names(
    uses: Mapping[Variable, list[cst.Name]], old: PrintedModule, substitutes: Substitutes
) -> dict[Variable, str]:
    """The new name of each variable that has a substitute, in order of appearance.

    Variables of one name in several scopes stay variables of one name. Substitutes are one to one and occur nowhere in
    the source, so no name is captured.
    """
    ordered = sorted(uses, key=lambda key: old.token_index[id(uses[key][0])])
    return {key: substitutes[key[1]] for key in ordered if key[1] in substitutes}


class _Renaming(cst.CSTTransformer):
    """Gives each of the nodes, by id, its name."""

    def __init__(self, names: Mapping[int, str]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 - LibCST's name
        new = self.names.get(id(original_node))
        return updated_node if new is None else cst.Name(new, lpar=updated_node.lpar, rpar=updated_node.rpar)
