"use strict";
// The program with the risk of each line, the selected frame with its tokens, hazards, and the diff of a rewrite.

function programList(view) {
  const lines = view.program.context.split(/\r\n|\r|\n/);
  if (lines[lines.length - 1] === "") lines.pop();
  const marked = new Set(view.attempt.operations.map((one) => one.line));
  const items = lines.map((text, index) => {
    const risk = view.program.lines[index + 1];
    const label = risk >= 0.01 ? percent(risk) : "";
    const jump = () => selectLine(index + 1);
    return el(
      "li",
      { "data-line": index + 1, class: [riskClass(risk), marked.has(index + 1) ? "failing" : ""].join(" "), on: { click: jump } },
      el("span", { class: "line-number" }, String(index + 1)),
      el("span", { class: "line-risk" }, label),
      el("code", {}, visible(text.slice(0, LONG))),
    );
  });
  return el("ol", { class: "program", tabindex: 0, role: "list", "aria-label": "program with the predicted risk of each line" }, items);
}

function operationNotes(attempt) {
  const found = attempt.operations.map((one) => {
    const where = one.line === null ? "" : `line ${one.line}, column ${one.column}: `;
    const predicted = one.predicted ? [", predicted ", el("code", {}, short(one.predicted))] : null;
    return el("li", {}, where, el("code", {}, short(one.operation)), ": reference ", el("code", {}, short(one.reference || "not shown")), predicted);
  });
  const several = attempt.operations.length > 1 ? "operations that may have produced the first wrong value" : "operation that produced the first wrong value";
  if (!found.length) return null;
  return el("div", {}, el("h3", {}, several), el("ul", {}, found), attempt.undecided ? el("p", { class: "note" }, attempt.undecided) : null);
}

// The selected frame: what differs, the risk with its reasons, and each value as tokens.
function inspector(view, number) {
  const { reference, predicted, kind } = view.frames[number];
  const frame = reference || predicted;
  const notes = [];
  if (kind) notes.push(el("p", { class: "kind" }, number === view.first ? "first divergence: " : "differs: ", kind));
  if (reference && reference.risk !== null) {
    const why = (reference.why || []).map((text) => el("li", {}, short(text, 400)));
    notes.push(el("p", {}, "predicted risk ", el("span", { class: riskClass(reference.risk) }, percent(reference.risk))), why.length ? el("ul", {}, why) : null);
  }
  const strips = valueStrips(reference, predicted);
  const help = strips.length ? null : el("p", { class: "note" }, "This frame writes no value.");
  return [
    el("h2", {}, `Frame ${number}`),
    el("p", {}, el("span", { class: `event ${frame.event}` }, frame.event), el("code", {}, short(frame.source.trim(), 300))),
    notes,
    el("h3", {}, `values as tokens (${plain(page.tokenizer)})`),
    strips,
    help,
  ];
}

function valueStrips(reference, predicted) {
  const sides = [["reference", reference], ["predicted", predicted]].filter(([, frame]) => frame);
  const same = reference === predicted;
  const found = new Map();
  for (const [side, frame] of same ? [["both", reference]] : sides) {
    const { written, spans } = writtenFrame(frame);
    const ends = endsOf(frame.sizes);
    for (const [name, start, end] of spans) {
      if (written.slice(start, end) === '".."') continue;
      const line = ends.length ? strip(written, ends, start, end) : el("p", { class: "note" }, `${count(end - start, "character")}: too long to show its tokens`);
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(el("div", { class: `side ${side}` }, el("span", { class: "note" }, side === "both" ? "both" : side), line));
    }
  }
  return [...found].map(([name, lines]) => el("div", { class: "value" }, el("b", {}, short(name || "value", 80)), lines));
}

function hazardSection(program) {
  if (!program.hazards.length) return null;
  const items = program.hazards.map((one) => {
    const where = [one.line ? `line ${one.line}` : "", one.method ? `${one.method}` : ""].filter(Boolean).join(", ");
    const [start, end] = one.span;
    const from = Math.max(0, start - 200);
    const to = Math.min(one.written.length, end + 200);
    return el("li", {}, el("b", {}, one.name), ` ${where}: `, short(one.why, 400), strip(one.written, one.boundaries, from, to, [start, end]));
  });
  return details("hazards", `Tokenization hazards (${items.length})`, el("ul", { class: "hazards" }, items));
}

function details(id, title, ...content) {
  return el("details", { id }, el("summary", {}, el("h2", {}, title)), content);
}

// The rewritten program beside the original: two columns, or one column on a narrow screen.
function rewriteSection(attempt) {
  const rewrite = attempt.rewrite;
  if (!rewrite) return null;
  const factor = rewrite.tokens && rewrite.original_tokens ? `, ${(rewrite.tokens / rewrite.original_tokens).toFixed(2)}× the trace tokens` : "";
  const names = new Map();
  for (const [name, line] of rewrite.applied) names.set(name, [...(names.get(name) || []), line]);
  const applied = [...names].map(([name, lines]) => el("li", {}, el("b", {}, name), ` line${lines.length > 1 ? "s" : ""} ${lines.join(", ")}`));
  const left = rewrite.left.map(([line, reason]) => el("li", {}, `line ${line}: `, short(reason, 400)));
  const assumes = rewrite.assumes.map(([line, column, text, what]) => el("li", {}, `line ${line}, column ${column}: `, el("code", {}, short(text)), " ", short(what)));
  const list = (title, items) => (items.length ? el("div", {}, el("h3", {}, title), el("ul", {}, items)) : null);
  const open = details("rewrite", `Rewrite: ${plain(attempt.attempt)}${factor}`, diffTable(rewrite, attempt.source), list("changed", applied), list("assumed", assumes), list("left unchanged", left));
  open.open = true;
  return open;
}

function diffTable(rewrite, source) {
  if (rewrite.before === null) return el("p", { class: "note" }, "This run has no record of the original program.");
  const before = rewrite.before.split(/\r\n|\r|\n/);
  const after = source.split(/\r\n|\r|\n/);
  const line = (number, text, name, sign) => [el("span", { class: "line-number" }, number === null ? "" : String(number + 1)), el("code", { class: name }, sign, text === null ? "" : visible(text))];
  const split = el("div", { class: "diff split", tabindex: 0, role: "region", "aria-label": "original and rewritten program" });
  const unified = el("div", { class: "diff unified", tabindex: 0, role: "region", "aria-label": "changes of the program" });
  for (const [tag, i, iEnd, j, jEnd] of rewrite.diff) {
    for (let step = 0; step < Math.max(iEnd - i, jEnd - j); step++) {
      const [one, other] = [i + step < iEnd ? i + step : null, j + step < jEnd ? j + step : null];
      const changed = tag !== "equal";
      split.append(...line(one, one === null ? null : before[one], changed ? (one === null ? "gap" : "removed") : null, ""));
      split.append(...line(other, other === null ? null : after[other], changed ? (other === null ? "gap" : "added") : null, ""));
    }
    if (tag === "equal") for (let step = 0; step < iEnd - i; step++) unified.append(...line(j + step, after[j + step], null, "  "));
    else {
      for (let step = i; step < iEnd; step++) unified.append(...line(step, before[step], "removed", "- "));
      for (let step = j; step < jEnd; step++) unified.append(...line(step, after[step], "added", "+ "));
    }
  }
  return el("div", {}, split, unified);
}
