"""A fault of `tests.rewrite.faults` as an intervention: it replaces the definitions of its original by wrong ones."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewrite.anf.intervention import RewriteExample
from tests.rewrite.faults import Fault


def pair_rewrite(fault: Fault) -> Callable[[str], str]:
    """Return a rewrite that knows one program, with that program as its example."""
    old = ast.parse(fault.before).body
    new = ast.parse(fault.wrong).body

    def rewrite(source: str) -> str:
        tree = ast.parse(source)
        dumped, count = [ast.dump(node) for node in old], 0
        for node in ast.walk(tree):
            block = getattr(node, "body", None)
            if not isinstance(block, list):
                continue
            found = [ast.dump(part) for part in block]
            for place in range(len(found) - len(dumped) + 1):
                if found[place : place + len(dumped)] == dumped:
                    block[place : place + len(dumped)] = new
                    count += 1
                    break
        return ast.unparse(tree) + "\n" if count else source

    rewrite.__name__ = rewrite.__qualname__ = "".join(c if c.isalnum() else "_" for c in f"fault {fault.name}")
    rewrite.EXAMPLES = tuple(  # type: ignore[attr-defined]
        RewriteExample(fault.name, fault.before, fault.right, call) for call in fault.calls or ("",)
    )
    return rewrite
