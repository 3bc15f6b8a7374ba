"use strict";
// Strings from a run are untrusted. They reach the page through `el` and `visible` only: as text nodes, in which
// control characters, bidirectional marks, invisible characters and lone surrogates are shown as escapes.

const INVISIBLE = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]|\\udb40[\\udc00-\\udfff]|" +
    "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]",
  "g",
);
const LINE_ENDS = /[\n\t]/g;
const SHORT = 240; // characters of a value in a table or frame
const LONG = 20000; // characters of a text that are shown without a click

function escapeOf(found) {
  const code = found.codePointAt(0);
  if (found === "\n") return "\\n";
  if (found === "\t") return "\\t";
  if (code < 256) return "\\x" + code.toString(16).padStart(2, "0");
  return code < 65536 ? "\\u" + code.toString(16).padStart(4, "0") : "\\U" + code.toString(16).padStart(8, "0");
}

// The text with escapes as a plain string, for attributes and option labels.
function plain(text) {
  return String(text).replace(INVISIBLE, escapeOf).replace(LINE_ENDS, escapeOf);
}

// The text as nodes: escapes are marked, so that they differ from a backslash in the text.
function visible(text, inline) {
  const nodes = document.createDocumentFragment();
  const pattern = inline ? new RegExp(INVISIBLE.source + "|" + LINE_ENDS.source, "g") : INVISIBLE;
  let place = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > place) nodes.append(text.slice(place, found.index));
    const mark = document.createElement("span");
    mark.className = "escape";
    mark.textContent = escapeOf(found[0]);
    nodes.append(mark);
    place = found.index + found[0].length;
  }
  nodes.append(text.slice(place));
  return nodes;
}

// A DOM element. `options` are attributes, or `class`, `on` (event listeners); children are nodes or strings.
function el(tag, options, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options || {})) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child), true));
  }
  return element;
}

// A string on one line; a long one is cut, and says how long it is.
function short(text, most = SHORT) {
  if (text.length <= most) return visible(text, true);
  const nodes = visible(text.slice(0, most), true);
  nodes.append(el("span", { class: "cut" }, ` … ${count(text.length, "character")}`));
  return nodes;
}

// A block of text; of a long one only the beginning, with a button for the rest.
function block(text, label) {
  const pre = el("pre", { class: "text", tabindex: 0, role: "region", "aria-label": label }, visible(text.slice(0, LONG)));
  if (text.length <= LONG) return pre;
  const all = () => {
    pre.replaceChildren(visible(text));
    more.remove();
  };
  const more = el("button", { type: "button", on: { click: all } }, `show all ${count(text.length, "character")}`);
  return el("div", {}, pre, more);
}

function count(number, noun) {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

function percent(risk) {
  if (risk === null || risk === undefined) return "unknown";
  if (risk > 0 && risk < 0.005) return "<1%";
  return risk >= 0.995 && risk < 1 ? ">99%" : `${Math.round(100 * risk)}%`;
}

// The class of a risk, with the thresholds of `spellout assess`.
function riskClass(risk) {
  if (risk === null || risk === undefined) return "";
  return risk >= 0.2 ? "risk-high" : risk >= 0.05 ? "risk-some" : risk >= 0.01 ? "risk-low" : "";
}
