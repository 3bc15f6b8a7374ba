"use strict";
// The view of one attempt.

let view = null; // the attempt that is shown, with its frames

async function openAttempt(row, frame) {
  const loaded = await loadAttempt(row);
  const frames = framesOf(loaded.attempt, loaded.program);
  const first = frames.findIndex((one) => one.kind);
  view = { ...loaded, row, frames, first, asked: loaded.attempt.verdict !== "not asked", start: 0, selected: -1, element: el("div") };
  const place = table.rows.indexOf(row);
  if (place >= 0) table.selected = place;
  renderSample(place);
  if (frames.length) selectFrame(frame === null ? Math.max(first, 0) : Math.min(frame, frames.length - 1), frame !== null);
}

function renderSample(place) {
  const { attempt, program } = view;
  const go = (step) => () => openNeighbour(step);
  const where = place < 0 ? "" : `${(place + 1).toLocaleString("en-US")} of ${table.rows.length.toLocaleString("en-US")}`;
  const nav = el(
    "nav",
    { "aria-label": "attempts" },
    el("a", { href: "#" }, "← table"),
    el("button", { type: "button", disabled: place <= 0, on: { click: go(-1) } }, "previous"),
    el("button", { type: "button", disabled: place < 0 || place >= table.rows.length - 1, on: { click: go(1) } }, "next"),
    el("span", { class: "note" }, where),
  );
  const benchmark = page.columns.benchmark[view.row];
  const title = el("h1", {}, short(attempt.id || "(no id)", 120), " ", verdictBadge(attempt.verdict));
  const about = el("p", { class: "note" }, [page.runs[page.columns.run[view.row]], benchmark, attempt.model, page.columns.attempt[view.row]].filter(Boolean).map((text, i) => [i ? " · " : "", short(text, 80)]));
  const trace = el("section", { class: "trace", "aria-label": "trace" }, traceHeading(), view.element);
  view.inspector = el("section", { class: "inspector", "aria-label": "selected frame" });
  const risk = el("span", { class: riskClass(program.risk) }, percent(program.risk));
  const code = el("section", { class: "code", "aria-label": "program" }, el("h2", {}, "Program ", el("small", {}, "predicted risk ", risk)), programList(view), operationNotes(attempt));
  const panes = el("div", { class: "panes" }, el("div", { class: "side-pane" }, code, view.inspector), trace);
  const main = document.getElementById("sample-view");
  const sections = [attemptCards(), noteList(), panes, rewriteSection(attempt), hazardSection(program), texts(attempt)];
  main.replaceChildren(nav, title, about, facts(attempt), ...sections.flat().filter(Boolean));
  renderFrames(view);
  window.scrollTo(0, 0);
}

function traceHeading() {
  const divergent = view.frames.filter((one) => one.kind).length;
  const text = !view.asked ? "not asked" : divergent ? count(divergent, "divergent frame") : "no divergence";
  const step = (by, label) => el("button", { type: "button", disabled: !divergent, on: { click: () => selectDivergence(by) } }, label);
  return el("div", { class: "heading" }, el("h2", {}, `Trace: ${count(view.frames.length, "frame")}, ${text}`), step(-1, "previous divergence"), step(1, "next divergence"));
}

function facts(attempt) {
  const rows = [
    ["call", attempt.call],
    ["reference", attempt.reference],
    ["predicted", attempt.predicted],
    ["label", attempt.expected !== attempt.reference ? attempt.expected : null],
    ["cause", attempt.cause ? attempt.cause + (attempt.cause_line ? `: ${attempt.cause_line}` : "") : null],
    ["not asked", attempt.reason || null],
  ];
  return el(
    "dl",
    { class: "facts" },
    rows.filter(([, value]) => value !== null).map(([name, value]) => [el("dt", {}, name), el("dd", {}, el("code", {}, name === "predicted" ? valueNodes(value, attempt.reference) : short(value, 600)))]),
  );
}

// The attempts at the same sample, side by side.
function attemptCards() {
  if (view.group.length < 2) return null;
  const cards = view.group.map((one) => {
    const current = one === view.attempt;
    const [name, run] = [page.columns.attempt[one.row], page.columns.run[one.row]];
    const divergence = one.divergence && one.divergence.kind !== "none" ? `${one.divergence.kind} @ ${one.divergence.frame}` : "none";
    const asked = one.verdict !== "not asked";
    const rows = [
      ["answer", asked ? short(one.predicted === null ? "none" : one.predicted, 80) : short(one.reason, 120)],
      asked ? ["first divergence", divergence] : null,
      asked && one.output_tokens ? ["output tokens", one.output_tokens.toLocaleString("en-US")] : null,
      one.reference_tokens === null || !asked ? null : ["reference tokens", one.reference_tokens.toLocaleString("en-US")],
      ["predicted risk", percent(page.columns.risk[one.row])],
    ];
    const title = el("a", { href: `#${encodeURIComponent(page.columns.name[one.row])}`, "aria-current": current ? "true" : null }, short(page.runs.length > 1 ? `${name} · ${page.runs[run]}` : name, 60));
    const list = rows.filter(Boolean).map(([label, value]) => [el("dt", {}, label), el("dd", {}, value)]);
    return el("li", { class: current ? "card current" : "card" }, el("h3", {}, title, " ", verdictBadge(one.verdict)), el("dl", {}, list));
  });
  return el("section", { "aria-label": "attempts at this sample" }, el("h2", {}, `Attempts (${cards.length})`), el("ul", { class: "cards" }, cards));
}

function noteList() {
  const { attempt, program } = view;
  const action = attempt.action;
  const notes = [
    ...new Set([...program.notes, ...attempt.caveats]),
    ...(attempt.near_tie ? ["The smallest margin of a token is a near tie: another batch size or machine may change the answer."] : []),
    ...(action && action.after_wrong_state ? [`first wrong action at frame ${action.frame}, after a wrong state`] : []),
    ...(attempt.mode !== "free" ? [`mode ${attempt.mode}: parts of the reference trace were given`] : []),
  ];
  return notes.length ? el("ul", { class: "notes" }, notes.map((text) => el("li", {}, short(text, 600)))) : null;
}

// A heading with a number of tokens, if it was counted, and a remark.
function counted(title, tokens, remark) {
  const parts = [tokens ? count(tokens, "token") : "", remark].filter(Boolean);
  return parts.length ? `${title} (${parts.join(", ")})` : title;
}

function texts(attempt) {
  const sections = [
    ["output", counted("Output", attempt.output_tokens, attempt.stopped ? `stopped: ${plain(attempt.stopped)}` : ""), attempt.output],
    ["rest", "Output after the last frame", attempt.rest],
    ["prompt", counted("Prompt", attempt.prompt_tokens, ""), attempt.prompt],
  ];
  return sections.filter(([, , text]) => text.trim()).map(([id, title, text]) => details(id, title, block(text, title)));
}

function selectFrame(number, scroll) {
  if (number < 0 || number >= view.frames.length) return;
  if (number < view.start || number >= view.start + WINDOW) {
    view.start = number - WINDOW / 2;
    renderFrames(view);
  }
  const before = rowOf(view, view.selected);
  if (before) before.removeAttribute("aria-current");
  view.selected = number;
  const row = rowOf(view, number);
  row.setAttribute("aria-current", "true");
  view.inspector.replaceChildren(...inspector(view, number).flat(Infinity).filter(Boolean));
  const line = view.frames[number].reference && view.frames[number].reference.line;
  for (const item of document.querySelectorAll(".program li")) item.classList.toggle("current", Number(item.dataset.line) === line);
  history.replaceState(null, "", `#${encodeURIComponent(page.columns.name[view.row])}/${number}`);
  if (scroll) row.scrollIntoView({ block: "center" });
}

function selectDivergence(step) {
  for (let number = view.selected + step; number >= 0 && number < view.frames.length; number += step) {
    if (view.frames[number].kind) return selectFrame(number, true);
  }
  return undefined;
}

// The next frame at a line of the program, after the selected one or from the start.
function selectLine(line) {
  const at = (one) => one.reference && one.reference.line === line;
  const after = view.frames.findIndex((one, number) => number > view.selected && at(one));
  const found = after >= 0 ? after : view.frames.findIndex(at);
  if (found >= 0) selectFrame(found, true);
}

function openNeighbour(step) {
  const place = table.rows.indexOf(view.row) + step;
  if (place >= 0 && place < table.rows.length) location.hash = encodeURIComponent(page.columns.name[table.rows[place]]);
}
