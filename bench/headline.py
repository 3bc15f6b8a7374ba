"""The figures that the README and docs/differences.md quote from other pages.

    .venv/bin/python bench/headline.py results    # README: what has been measured
    .venv/bin/python bench/headline.py tuned      # docs/differences.md: in sample, and on held-out failures

Both read the tables of the other pages, which `bench/figures.py` keeps current, so a figure is computed once. The
held-out figures are constants: they were measured, with the weights of that time, on the odd half of the published
failures, which is not in this repository (docs/differences.md says where it is available).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness import command, estimate, print_table, tables

from analyze.hazards.severity import format_odds_ratio
from runner.records.samples import REDRAW
from runner.statistics.intervals import wilson

DOCS = Path(__file__).resolve().parents[1] / "docs"
HELD_OUT_STEPS = 64
"""Wrong values of the odd half of the published failures."""
HELD_OUT_EXPOSED = {
    "planned": (46, "1.23×, with an earlier planner"),
    "paper": (47, "1.55×"),
    "decompose": (43, ""),
}
"""How many of their lines a recipe exposes, and its tokens (median) if they were measured."""
HELD_OUT_LEVELS = (13, 12, 56)
"""Operations of the odd half with the first wrong value: those that plans replace or set apart, those whose operands
they show, and all. Measured with an earlier planner, by an earlier definition of the levels.
"""
HELD_OUT = {
    "AUROC": "0.78 to 0.80; over both halves 0.81 [0.77, 0.85]",
    "top three": "73 to 74 %; 81 % in cross-validation over both halves",
    "failures": "67.5, of which 54 observed; the excess is at risks above 0.6",
    "EDIT_RETOK": "0.94 [0.19, 4.57]",
    "ABSENT": "3.8 [1.5, 9.8]",
    "risk": "40.1 to 36.8 % at 1.3× (20 programs)",
}
"""Measured on the odd half of the published failures."""
HELD_OUT_REPAIRED = ("39 of 98", "3 of 21", "0.04")
"""Failures on CruxEval of both halves that the paper's rewriting repaired: of the changed ones, and of those that were
only asked again; with the p-value of Fisher's exact test."""
NONE = "—"
PRICED = ("variable renamed", "condition rewritten", "dead statement added")
PRICE = "price (95 % interval)"
TRANSFERRED = ("cruxeval, panel", "cruxeval, cwm")
REPAIRS = ("chance of a repair, the wrong step known", "1 − risk of the rewrite")
EFFECT = "| programs | asked | right before | right after | gained | lost | p | points | p, corrected |"
"""How the table of the experiment with `pocket` begins; that of its gate has no last column."""
REPAIRED = "| failures | asked again | repaired |"
"""How a table of the failures of `pocket` begins."""
ANOTHER = "less a second answer"
EXPLORED, TESTED = "Does rewriting repair failures?", "What the test of repairs found"
"""The sections with such a table: of answers that were seen before the question, and of the test."""
Row = dict[str, str]


def section(page: str, heading: str = "") -> str:
    """A page from a heading to the next one of its level; without a heading the whole page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] if heading else text


def rows(page: str, head: str, heading: str = "") -> Iterator[Row]:
    """The rows of the tables of a section whose first line begins with `head`, each by column."""
    for names, _, *lines in tables(section(page, heading)):
        if names.startswith(head):
            for line in lines:
                yield dict(zip(_cells(names), _cells(line), strict=False))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def row(page: str, head: str, first: str, heading: str = "") -> Row:
    """The first row that begins with the cell `first`. Raises LookupError if the section has none."""
    for found in rows(page, head, heading):
        if next(iter(found.values())) == first:
            return found
    raise LookupError(f"{page}: no row {first!r} below {head!r}")


def _first(prediction: Row) -> str:
    """The number of repairs that a prediction expects."""
    return prediction["expected repairs"].partition(" ")[0]


def search(page: str, pattern: str) -> re.Match[str]:
    """The first match in a page. Raises LookupError if there is none."""
    found = re.search(pattern, section(page))
    if found is None:
        raise LookupError(f"{page}: nothing matches {pattern!r}")
    return found


def share(right: int, count: int) -> str:
    """A share with Wilson's 95 % interval, in percent."""
    low, high = (100 * bound for bound in wilson(right, count))
    return f"{right} of {count}, {100 * right / count:.0f} % ({low:.0f}–{high:.0f})"


def held_out(recipe: str) -> str:
    """The lines that a recipe exposes on held-out failures, and its tokens."""
    right, tokens = HELD_OUT_EXPOSED[recipe]
    return share(right, HELD_OUT_STEPS) + (f" at {tokens}" if tokens else "")


def exposed(recipe: str) -> tuple[int, int, str]:
    """Lines of first wrong values in the sample: how many a recipe exposes, of how many; its tokens."""
    found = row("planner.md", "| recipe | changed | median", recipe)
    counts = [re.findall(r"(\d+) of (\d+)", found[name])[0] for name in ("exposed, CruxEval", "HumanEval")]
    return sum(int(one) for one, _ in counts), sum(int(all_) for _, all_ in counts), f"{found['median']}×"


def levels(recipe: str) -> list[int]:
    """Operations with the first wrong value in the sample, by exposure level under a recipe: 2, 1, 0."""
    found = row("planner.md", "| recipe | tokens, median | level 2", recipe)
    return [int(found[f"level {level}"].partition(" ")[0]) for level in (2, 1, 0)]


def auroc(name: str) -> str:
    """An AUROC of the risk page with its interval, with two digits.

    >>> auroc("risk").count(".")
    3
    """
    number = r"(0\.\d{3})"
    return estimate(map(float, search("risk.md", rf"AUROC, {name} +{number} \[{number}, {number}\]").groups()))


def results() -> Iterator[tuple[str, str, str, str]]:
    """The rows of the README's table: question, held-out result, result that development saw, data of both."""
    tuned_page = "docs/differences.md#figures-that-were-tuned-on-these-failures"
    versions = list(rows("proof.md", "| Python | modules rewritten"))
    lost = [one["expected to differ"] for one in versions]
    modules = [one["modules rewritten"].partition(" ")[0] for one in versions]
    yield (
        "Do rewrites keep the behaviour?",
        NONE,
        f"[CPython's own test suite](docs/proof.md) passes on a rewritten standard library, with {_series(lost)} tests "
        "that are expected to differ",
        f"{_series(modules)} modules of Python 3.11, 3.12 and 3.13",
    )
    apart, shown, held = HELD_OUT_LEVELS
    planned, failed, decompose = (levels(recipe) for recipe in ("planned", "planned, failed", "decompose"))
    yield (
        "Do rewrites expose the operation that went wrong? (Whether that helps a model is not known.)",
        f"[`planned`]({tuned_page}) replaces or sets apart {apart} and shows the operands of {shown} of {held} (an "
        "earlier planner and definition)",
        f"{failed[0]} and {failed[1]} of {sum(failed)} after a failure, {planned[0]} and {planned[1]} before one; "
        f"`decompose`: {decompose[0]} and {decompose[1]}",
        f"{held} and {sum(planned)} operations with the first wrong value of the 32B CWM, in halves of its failures on "
        "CruxEval and HumanEval",
    )
    failures = search("planner.md", r"published failures \((\d+) programs")[1]
    changed = row("planner.md", "| recipe | changed | median", "planned")["changed"]
    yield (
        "How much longer do traces get?",
        f"[{HELD_OUT_EXPOSED['planned'][1].partition(',')[0]}]({tuned_page}) with an earlier planner (median)",
        f"[{exposed('decompose')[2]} the tokens](docs/planner.md#results) with the recipe `decompose`, "
        f"{exposed('planned')[2]} with `planned`, which changes {changed} of the programs (medians of all)",
        f"the other half of the failures of the 32B CWM, and {failures}, with the truncated ones",
    )
    again = {
        name: row("evidence.md", "| wrong answers |", f"cruxeval, {name}")["repaired"]
        for name in ("changed by the rewrite", "only asked again", "difference")
    }
    both, asked, p = HELD_OUT_REPAIRED
    yield (
        "Does the model then answer correctly? (For the recipes here it is not measured.)",
        f"Both halves: of the failures that the paper's tool changed, {both} were repaired; of those that were only "
        f"asked again, {asked} (p = {p})",
        f"[{again['changed by the rewrite']}](docs/evidence.md#what-does-a-rewrite-do-on-average) and "
        f"{again['only asked again']} ({again['difference'].partition(' (')[0]})",
        "failures of the 32B CWM on CruxEval: wrong answers of both halves, and of the half that development saw",
    )
    missed = search("pocket.md", r"- no verdict, .*: (the gate does not hold): ")[1]
    withheld = f"Not concluded, since [{missed}](docs/pocket.md#the-gate)"
    generated, seen = (_pocket_effects(population) for population in ("generated", "cruxeval"))
    drawn, benchmark = (row("pocket.md", "| programs | asked", name)["asked"] for name in ("generated", "cruxeval"))
    yield (
        "Does rewriting help the [embedded model](docs/pocket.md#what-the-experiment-found) (135 million parameters)?",
        f"{withheld}: {generated}",
        seen,
        "change of accuracy in points, against the unchanged program, on those programs that a recipe changes, of "
        f"{drawn.partition(' ')[0]} generated ones and {benchmark.partition(' ')[0]} of CruxEval",
    )
    yield (
        "Does rewriting repair [its failures](docs/pocket.md#what-the-test-of-repairs-found)?",
        f"{withheld}: {_repaired(TESTED, 'decompose', 'planned', 'repair', REDRAW)}",
        "[Asked after the answers were seen](docs/pocket.md#does-rewriting-repair-failures): "
        + _repaired(EXPLORED, "decompose", "planned", REDRAW),
        "its wrong answers to MBPP and to generated programs, and in the experiment: how many are right after the "
        f"recipe, of those that it changes, and points more than in a second answer at a temperature (`{REDRAW}`)",
    )
    repaired, rewritten = search("planner.md", r"(\d+) of the (\d+) were repaired").groups()
    chance, certain = (row("planner.md", "| prediction |", name) for name in REPAIRS)
    yield (
        "Can it be predicted which rewrite repairs a failure?",
        NONE,
        f"In part: [the chance of a repair](docs/planner.md#after-a-failure) expects {_first(chance)} repairs, "
        f"{repaired} were seen; AUROC {chance['AUROC (95 % interval)']}. One minus the predicted risk expects "
        f"{_first(certain)}",
        f"the paper's rewrites of {rewritten} failures of the 32B CWM; nothing was fitted to rewrites",
    )
    prices = [row("evidence.md", "| kind of change |", name) for name in PRICED]
    longer = row("evidence.md", "| kind of change |", "trace doubled")
    costs = "; ".join(f"{name}: {one[PRICE]}" for name, one in zip(PRICED, prices, strict=True))
    counts = _series([one["programs"] for one in prices])
    yield (
        "What does an equivalent rewrite cost, in −log of the probability of a right answer?",
        NONE,
        f"Per [{costs}](docs/evidence.md#what-does-each-change-cost). A trace twice as long shows no effect: "
        f"{longer[PRICE]}; one below {longer['detectable']} could be missed",
        f"{counts} programs of LiveCodeBench (40 problems), three models of 7B that answer in words",
    )
    alone = auroc("output is a string").partition(" ")[0]
    programs = search("risk.md", r"(\d+) programs, \d+ failures; 5 times 10-fold")[1]
    held_out_auroc = HELD_OUT["AUROC"].partition(";")[0]
    yield (
        "Can failures be predicted before the model is asked?",
        f"[AUROC]({tuned_page}) {held_out_auroc}, with earlier weights; failures predicted: {HELD_OUT['failures']}",
        f"[Cross-validated](docs/risk.md#validation): {auroc('risk')}; with results of other models "
        f"{auroc('risk with panel')}; is the output a string: {alone}",
        f"400 and {programs} programs of CruxEval, 32B CWM",
    )
    words, default = (row("evidence.md", "| fitted on |", name) for name in TRANSFERRED)
    yield (
        "And on another benchmark?",
        NONE,
        "No better than the number of frames: "
        f"[AUROC](docs/evidence.md#do-the-maps-transfer) {words['map']} against {words['frames']} on "
        f"LiveCodeBench, {default['map']} against {default['frames']} on HumanEval",
        f"{words['programs']} programs, three models of 7B; {default['programs']} calls, 32B CWM; fitted on CruxEval",
    )
    effects, classes = search("findings.md", r"\*\*(\d+) of (\d+) classes show an effect").groups()
    every = row("findings.md", "| task | items", "all tasks")
    yield (
        "Does tokenization cause the failures?",
        NONE,
        "On single words: [each further character](docs/findings.md#character-tasks) of the token that hides a "
        f"character changes accuracy by {every['points per character']} points. On programs, [{effects} of {classes}]"
        "(docs/findings.md#tokenization-hazards) classes show an effect; that test could see a large effect only",
        f"{every['items']} items of CUTE, 9 models, 5 vocabularies; {programs} programs of CruxEval, 4 families",
    )


def _series(items: Sequence[str]) -> str:
    """Items with commas and a last "and".

    >>> _series(["3", "5", "12"])
    '3, 5 and 12'
    """
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _pocket_effects(population: str) -> str:
    """The differences of the recipes in the experiment with `pocket`; the other arms have no corrected p-value."""
    found = [one for one in rows("pocket.md", EFFECT) if one["programs"].startswith(f"{population}: ")]
    recipes = [one for one in found if one["p, corrected"] != NONE]
    return "; ".join(f"`{one['programs'].partition(': ')[2]}` {one['points']}" for one in recipes)


def _repaired(heading: str, *arms: str) -> str:
    """How many failures of `pocket` are right after each arm, and how many more than in a second answer."""
    parts = []
    for arm in arms:
        found = row("pocket.md", REPAIRED, f"all: {arm}", heading)
        more = found[ANOTHER]
        right = f"`{arm}` {found['repaired'].partition(' ')[0]} of {found['asked again']}"
        parts.append(right if more == NONE else f"{right}, {more}")
    return "; ".join(parts)


def tuned() -> Iterator[tuple[str, str, str, str]]:
    """The rows of the table of tuned figures."""
    for recipe in HELD_OUT_EXPOSED:
        right, count, cost = exposed(recipe)
        title = f"lines of first wrong values exposed by `{recipe}`"
        yield title, f"{share(right, count)} at {cost} tokens", held_out(recipe), "[planner](planner.md)"
    apart, shown, held = HELD_OUT_LEVELS
    found = levels("planned")
    yield (
        "operations with the first wrong value that `planned` replaces or sets apart, or whose operands it shows",
        f"{found[0]} and {found[1]} of {sum(found)}",
        f"{apart} and {shown} of {held}, with an earlier planner, by an earlier definition",
        "[planner](planner.md)",
    )
    yield "AUROC of the reliability map", auroc("risk"), HELD_OUT["AUROC"], "[risk](risk.md)"
    near = search("risk.md", r"among the top 3 for (\d+)%")[1]
    yield "first error among the three riskiest steps", f"{near} %", HELD_OUT["top three"], "[risk](risk.md)"
    yield "failures predicted", "—", HELD_OUT["failures"], "[risk](risk.md)"
    for hazard in ("EDIT_RETOK", "ABSENT"):
        odds = format_odds_ratio(hazard).partition(", not")[0]
        yield f"odds ratio of hazard {hazard}", odds, HELD_OUT[hazard], "[hazards](hazards.md)"
    before, after = search("planner.md", r"predicted risk (\S+)% -> (\S+)%").groups()
    tokens, planned = (int(one) for one in search("planner.md", r"tokens (\d+) -> (\d+) of").groups())
    example = f"{before} to {after} % at {planned / tokens:.1f}× tokens (the planner page's example)"
    yield "predicted risk removed by a plan", example, HELD_OUT["risk"], "[planner](planner.md)"


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("table", choices=("results", "tuned"))
    if parser.parse_args().table == "results":
        print_table(("question", "held out", "seen in development", "data"), results(), "---")
    else:
        print_table(("figure", "in sample", "on held-out failures", "page"), tuned(), "---")


if __name__ == "__main__":
    main()
