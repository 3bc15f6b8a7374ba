"use strict";
// Filters, search and sort order of the table. They select row numbers; `table.js` shows them.

const filters = { text: "", values: {}, risk: "", sort: null, descending: false };
const CHOICES = [
  ["run", "run"],
  ["benchmark", "benchmark"],
  ["kind", "kind"],
  ["attempt", "attempt"],
  ["verdict", "verdict"],
  ["divergence", "first divergence"],
  ["cause", "cause"],
  ["hazards", "hazard"],
];
const RISKS = [
  ["", "any risk"],
  ["0.5", "risk ≥ 50%"],
  ["0.2", "risk ≥ 20%"],
  ["0.05", "risk ≥ 5%"],
  ["unknown", "risk unknown"],
];
const NONE = "\u0000none";

function valuesOf(name, row) {
  const value = page.columns[name][row];
  if (name === "run") return [page.runs[value]];
  if (name === "hazards") return value ? value.split(" ") : [NONE];
  return [value === "" ? NONE : value];
}

function buildFilters() {
  const search = el("input", { type: "search", id: "search", placeholder: "id, code, output (press /)", "aria-label": "Search in ids, code and outputs" });
  search.addEventListener("input", () => {
    filters.text = search.value;
    window.clearTimeout(search.timer);
    search.timer = window.setTimeout(applyFilters, 200);
  });
  const form = document.getElementById("filters");
  form.append(search);
  for (const [name, label] of CHOICES) {
    const counts = new Map();
    for (let row = 0; row < page.rows; row++) {
      for (const value of valuesOf(name, row)) counts.set(value, (counts.get(value) || 0) + 1);
    }
    if (counts.size > 1) form.append(choice(name, label, counts));
  }
  const risk = el("select", { "aria-label": "risk" }, RISKS.map(([value, text]) => el("option", { value }, text)));
  risk.addEventListener("change", () => setFilter(() => (filters.risk = risk.value)));
  form.append(risk, el("button", { type: "reset" }, "Reset"));
  form.addEventListener("reset", () => setFilter(() => Object.assign(filters, { text: "", values: {}, risk: "" })));
  form.addEventListener("submit", (event) => event.preventDefault());
}

function choice(name, label, counts) {
  const values = [...counts.keys()];
  const titles = values.map((value) => `${value === NONE ? `no ${label}` : plain(value)} (${counts.get(value).toLocaleString("en-US")})`);
  const options = titles.map((title, number) => el("option", { value: String(number) }, title));
  const select = el("select", { "aria-label": label, name }, el("option", { value: "" }, `any ${label}`), options);
  select.addEventListener("change", () =>
    setFilter(() => {
      if (select.value === "") delete filters.values[name];
      else filters.values[name] = values[Number(select.value)];
    }),
  );
  return select;
}

function setFilter(change) {
  change();
  applyFilters();
}

function passes(row) {
  for (const [name, value] of Object.entries(filters.values)) if (!valuesOf(name, row).includes(value)) return false;
  const risk = page.columns.risk[row];
  if (filters.risk === "unknown") return risk === null;
  return filters.risk === "" || (risk !== null && risk >= Number(filters.risk));
}

let searchNumber = 0;

async function applyFilters() {
  const number = ++searchNumber; // a later search ends this one
  const wanted = filters.text.trim().toLowerCase();
  const rows = [];
  for (let row = 0; row < page.rows; row++) if (passes(row)) rows.push(row);
  if (!wanted) return showRows(sorted(rows), "");
  const found = new Set(rows.filter((row) => page.columns.id[row].toLowerCase().includes(wanted)));
  showRows(sorted([...found]), "searching code and outputs …");
  const blocks = Map.groupBy(rows, (row) => page.columns.block[row]);
  for (const [block, ofBlock] of blocks) {
    const content = await (cachedBlocks.get(block) || unpack(`block-${block}`));
    if (number !== searchNumber) return undefined;
    for (const row of ofBlock) {
      const attempt = content.samples[page.columns.place[row]];
      const texts = [attempt.source, attempt.call, attempt.output, attempt.prompt, attempt.reference];
      if (texts.some((text) => text.toLowerCase().includes(wanted))) found.add(row);
    }
  }
  return showRows(sorted(rows.filter((row) => found.has(row))), "");
}

function sorted(rows) {
  if (filters.sort === null) return rows;
  const column = page.columns[filters.sort];
  const sign = filters.descending ? -1 : 1;
  const order = new Intl.Collator("en", { numeric: true }).compare;
  return rows.sort((one, other) => {
    const [a, b] = [column[one], column[other]];
    if (a === null || b === null) return (a === null) - (b === null) || one - other; // unknown values come last
    return sign * (typeof a === "number" ? a - b : order(a, b)) || one - other;
  });
}
