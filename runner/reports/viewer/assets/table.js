"use strict";
// The table of attempts. Only the rows in view are in the document.

const SHOWN_COLUMNS = [
  ["id", "sample"],
  ["benchmark", "benchmark"],
  ["attempt", "attempt"],
  ["verdict", "verdict"],
  ["divergence", "first divergence"],
  ["cause", "cause"],
  ["risk", "risk"],
  ["hazards", "hazards"],
  ["output_tokens", "tokens"],
];
const MARGIN_ROWS = 12;
const MAX_ID = 32;
const table = { rows: [], selected: 0, first: -1, last: -1, body: null, height: 34 };

function buildTable() {
  const header = el("tr", {}, SHOWN_COLUMNS.map(([name, label]) => headerCell(name, label)));
  table.body = el("tbody");
  table.element = el("table", { class: "attempts" }, el("thead", {}, header), table.body);
  const scroller = document.getElementById("scroller");
  scroller.style.setProperty("--id-width", idWidth());
  scroller.append(table.element, el("p", { id: "empty", hidden: true }, "No attempt matches the filters."));
  scroller.addEventListener("scroll", () => window.requestAnimationFrame(renderRows), { passive: true });
  window.addEventListener("resize", () => {
    table.first = -1;
    renderRows();
  });
}

// Wide enough for the longest id, up to MAX_ID characters; longer ones end with an ellipsis.
function idWidth() {
  const longest = page.columns.id.reduce((most, id) => Math.max(most, id.length), "(no id)".length);
  return `calc(${Math.min(longest, MAX_ID) + 1}ch + 1.4rem)`;
}

function headerCell(name, label) {
  const sort = () => {
    filters.descending = filters.sort === name ? !filters.descending : name === "risk" || name === "output_tokens";
    filters.sort = name;
    for (const cell of table.element.querySelectorAll("th")) cell.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", filters.descending ? "descending" : "ascending");
    showRows(sorted([...table.rows]), "");
  };
  const cell = el("th", { class: `c-${name}`, scope: "col" }, el("button", { type: "button", on: { click: sort } }, label));
  return cell;
}

function showRows(rows, note) {
  const current = table.rows[table.selected];
  table.rows = rows;
  table.selected = Math.max(0, rows.indexOf(current));
  table.first = -1;
  table.element.setAttribute("aria-rowcount", rows.length + 1);
  document.getElementById("empty").hidden = rows.length > 0 || note !== "";
  const right = rows.filter((row) => page.columns.verdict[row] === "correct").length;
  const of = rows.length < page.rows ? ` of ${page.rows.toLocaleString("en-US")}` : "";
  const text = note || `${rows.length.toLocaleString("en-US")}${of} attempts, ${right.toLocaleString("en-US")} correct`;
  document.getElementById("counts").textContent = text;
  renderRows();
}

function renderRows() {
  const scroller = document.getElementById("scroller");
  if (!scroller.clientHeight) return;
  table.height = parseFloat(getComputedStyle(scroller).getPropertyValue("--row")) || 34;
  const first = Math.max(0, Math.floor(scroller.scrollTop / table.height) - MARGIN_ROWS);
  const last = Math.min(table.rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / table.height) + MARGIN_ROWS);
  if (first === table.first && last === table.last) return;
  Object.assign(table, { first, last });
  const rows = [];
  for (let place = first; place < last; place++) rows.push(tableRow(place));
  const above = spacer(first * table.height);
  const below = spacer((table.rows.length - last) * table.height);
  table.body.replaceChildren(above, ...rows, below);
}

function spacer(height) {
  const row = el("tr", { class: "spacer", "aria-hidden": "true" }, el("td"));
  row.firstChild.style.height = `${height}px`;
  return row;
}

function tableRow(place) {
  const row = table.rows[place];
  const value = (name) => page.columns[name][row];
  const name = value("name");
  const kind = value("kind");
  const frame = value("frame");
  const where = value("divergence") + (frame === null || value("divergence") === "none" ? "" : ` @ ${frame}`);
  const of = value("reference_tokens");
  const tokens = value("verdict") === "not asked" || !value("output_tokens") ? "" : `${value("output_tokens")}${of === null ? "" : ` / ${of}`}`;
  const run = page.runs.length > 1 ? ` · ${page.runs[value("run")]}` : "";
  const cells = {
    id: [el("a", { href: `#${encodeURIComponent(name)}` }, short(value("id") || "(no id)", 80)), el("small", {}, value("attempt") + run)],
    benchmark: [short(value("benchmark"), 60), kind ? el("span", { class: "note" }, " ", short(kind, 40)) : null],
    attempt: [short(value("attempt") + run, 60)],
    verdict: [verdictBadge(value("verdict"))],
    divergence: [where],
    cause: [value("cause")],
    risk: [el("span", { class: riskClass(value("risk")) }, percent(value("risk")))],
    hazards: [value("hazards")],
    output_tokens: [tokens],
  };
  const open = (event) => {
    if (!event.target.closest("a")) location.hash = encodeURIComponent(name);
  };
  return el(
    "tr",
    { "aria-rowindex": place + 2, class: place === table.selected ? "selected" : null, on: { click: open } },
    SHOWN_COLUMNS.map(([column]) => el("td", { class: `c-${column}` }, cells[column])),
  );
}

function verdictBadge(verdict) {
  return el("span", { class: `verdict ${verdict.replace(" ", "-")}` }, verdict);
}

function selectRow(place) {
  if (!table.rows.length) return;
  table.selected = Math.min(Math.max(place, 0), table.rows.length - 1);
  const scroller = document.getElementById("scroller");
  const top = table.selected * table.height;
  const room = scroller.clientHeight - 2 * table.height; // below the header
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room;
  table.first = -1;
  renderRows();
}

// The next row, in a direction, whose attempt was not answered correctly.
function selectFailure(step) {
  for (let place = table.selected + step; place >= 0 && place < table.rows.length; place += step) {
    if (["incorrect", "truncated"].includes(page.columns.verdict[table.rows[place]])) return selectRow(place);
  }
  return undefined;
}
