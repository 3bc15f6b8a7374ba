"use strict";
// The reference trace and the predicted trace, frame by frame.

const EVENTS = ["call", "line", "return", "exception"];
const WINDOW = 400; // frames in the document at a time

// The frames of an attempt: { reference, predicted, kind }, each frame with event, source, state, value and sizes.
function framesOf(attempt, program) {
  const lines = program.context.split(/\r\n|\r|\n/);
  const reference = program.frames.map(([event, line, state, value, sizes, risk], index) => {
    return { event: EVENTS[event], line, source: lines[line - 1] || "", state, value, sizes, risk, why: program.why[index] };
  });
  return attempt.aligned.map(([index, frame, kind]) => {
    const own = index === null ? null : reference[index];
    if (frame === 0) return { reference: own, predicted: own, kind };
    if (frame === null) return { reference: own, predicted: null, kind };
    const [event, source, state, value, sizes] = frame;
    return { reference: own, predicted: { event: EVENTS[event], source: source.replace(/\n$/, ""), state, value, sizes }, kind };
  });
}

// The values that a frame writes, as [name, value, whether the other frame writes another].
function changesOf(frame, other) {
  if (!frame.state) return frame.value === null ? [] : [["", frame.value, Boolean(other) && other.value !== frame.value]];
  const others = new Map(other && other.state ? other.state : []);
  const compared = Boolean(other && other.state);
  return frame.state
    .map(([name, value]) => [name, value, compared && others.get(name) !== value])
    .filter(([, value, differs]) => value !== ".." || differs);
}

function unchangedOf(frame, other) {
  if (!frame.state) return [];
  const changed = new Set(changesOf(frame, other).map(([name]) => name));
  return frame.state.map(([name]) => name).filter((name) => !changed.has(name));
}

function missingOf(frame, other) {
  if (!frame.state || !other || !other.state) return [];
  const names = new Set(frame.state.map(([name]) => name));
  return other.state.map(([name]) => name).filter((name) => !names.has(name));
}

// A value, with what differs from the other one marked.
function valueNodes(value, other) {
  if (other === undefined || other === null || other === value) return short(value);
  let start = 0;
  while (start < value.length && value[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(value.length, other.length) - start;
  while (end < most && value[value.length - 1 - end] === other[other.length - 1 - end]) end++;
  const from = Math.max(0, start - SHORT / 2);
  const middle = value.slice(start, value.length - end);
  const nodes = document.createDocumentFragment();
  nodes.append(from ? "… " : "", visible(value.slice(from, start), true));
  if (middle) nodes.append(el("mark", {}, short(middle)));
  nodes.append(short(value.slice(value.length - end)));
  return nodes;
}

function frameCell(frame, other, side) {
  if (!frame) return el("div", { class: `cell ${side} none`, role: "cell" }, side === "reference" ? "no such frame" : "missing");
  const values = new Map(other && other.state ? other.state : other ? [["", other.value]] : []);
  const changes = changesOf(frame, other).map(([name, value, differs]) => {
    const label = name ? el("b", {}, short(name, 60)) : null;
    const sign = name ? " = " : frame.event === "exception" ? "raises " : "returns ";
    return el("code", { class: differs ? "change differs" : "change" }, label, sign, valueNodes(value, differs ? values.get(name) : null));
  });
  const missing = missingOf(frame, other).map((name) => el("code", { class: "change differs missing" }, "no ", el("b", {}, short(name, 60))));
  const unchanged = unchangedOf(frame, other);
  const note = unchanged.length ? el("span", { class: "note" }, "unchanged: ", short(unchanged.join(", "), 120)) : null;
  const differs = other && (other.source !== frame.source || other.event !== frame.event);
  return el(
    "div",
    { class: `cell ${side}`, role: "cell" },
    el("div", { class: differs ? "action differs" : "action" }, el("span", { class: `event ${frame.event}` }, frame.event), el("code", {}, short(frame.source.trim(), 160))),
    el("div", { class: "changes" }, changes, missing, note),
  );
}

function frameRow(view, number) {
  const { reference, predicted, kind } = view.frames[number];
  const first = number === view.first;
  const same = !kind && reference && predicted;
  const name = `frame ${kind ? (first ? "first" : "divergent") : same ? "same" : "alone"}`;
  const label = kind ? el("span", { class: "kind" }, first ? `first divergence: ${kind}` : kind) : null;
  const risk = reference && reference.risk >= 0.01 ? el("span", { class: `risk ${riskClass(reference.risk)}`, title: "predicted risk" }, percent(reference.risk)) : null;
  const line = reference && reference.line ? `line ${reference.line}` : "";
  const number_ = el("div", { class: "number", role: "rowheader" }, el("b", {}, String(number)), el("span", { class: "note" }, line), risk, label);
  const cells = view.asked ? [frameCell(reference, predicted, "reference"), frameCell(predicted, reference, "predicted")] : frameCell(reference, null, "reference");
  return el("div", { class: name, role: "row", "data-frame": number, on: { click: () => selectFrame(number) } }, number_, cells);
}

function renderFrames(view) {
  const start = Math.max(0, Math.min(view.start, view.frames.length - WINDOW));
  const end = Math.min(view.frames.length, start + WINDOW);
  view.start = start;
  const head = el("div", { class: "frame head", role: "row" }, ["frame", "reference trace", view.asked ? "predicted trace" : null].map((text) => text && el("div", { role: "columnheader" }, text)));
  const rows = [];
  for (let number = start; number < end; number++) rows.push(frameRow(view, number));
  const move = (to, text) => el("button", { type: "button", class: "more", on: { click: () => ((view.start = to), renderFrames(view)) } }, text);
  const earlier = start > 0 ? move(start - WINDOW / 2, `earlier frames (${start.toLocaleString("en-US")})`) : null;
  const later = end < view.frames.length ? move(start + WINDOW / 2, `later frames (${(view.frames.length - end).toLocaleString("en-US")})`) : null;
  const grid = el("div", { class: view.asked ? "frames" : "frames alone", role: "table", "aria-label": "frames" }, el("div", { role: "rowgroup" }, head, rows));
  view.element.replaceChildren(...[earlier, grid, later].filter(Boolean));
}

function rowOf(view, number) {
  return view.element.querySelector(`[data-frame="${number}"]`);
}
