"use strict";
// Token strips: what a trace writes, with the boundaries of its tokens.

// A string as Python's json.dumps writes it.
function jsonString(text) {
  const hex = (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0");
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, hex);
}

// What a frame writes of its state or value, and where each value is in it: [name, start, end].
function writtenFrame(frame) {
  if (!frame.state) {
    const written = frame.value === null ? "null" : jsonString(frame.value);
    return { written, spans: frame.value === null ? [] : [["", 0, written.length]] };
  }
  let written = "{";
  const spans = [];
  frame.state.forEach(([name, value], place) => {
    written += (place ? ", " : "") + jsonString(name) + ": ";
    const start = written.length;
    written += jsonString(value);
    spans.push([name, start, written.length]);
  });
  return { written: written + "}", spans };
}

function endsOf(sizes) {
  let end = 0;
  return sizes.map((size) => (end += size));
}

// The tokens that touch [start, end) of a text; what they have outside of it is dimmed, [marked) is underlined.
function strip(written, ends, start, end, marked = [0, 0]) {
  const line = el("code", { class: "strip", tabindex: 0, role: "group", "aria-label": "tokens" });
  const most = Math.min(end, start + 2000);
  let before = 0;
  let number = 0;
  for (const after of ends) {
    if (after > start && before < most && after > before) {
      number += 1;
      const token = el("span", { class: number % 2 ? "token odd" : "token" });
      const cuts = [before, start, marked[0], marked[1], end, after].filter((cut) => cut >= before && cut <= after);
      cuts.sort((one, other) => one - other);
      for (let i = 1; i < cuts.length; i++) {
        if (cuts[i] === cuts[i - 1]) continue;
        const outside = cuts[i] <= start || cuts[i - 1] >= end;
        const inside = cuts[i - 1] >= marked[0] && cuts[i] <= marked[1];
        const name = outside ? "outside" : inside ? "marked" : null;
        token.append(el("span", { class: name }, written.slice(cuts[i - 1], cuts[i])));
      }
      line.append(token);
    }
    before = after;
  }
  const total = ends.filter((after, i) => after > start && (i ? ends[i - 1] : 0) < end).length;
  return el("div", { class: "strip-line" }, line, el("span", { class: "note" }, count(total, "token")));
}
