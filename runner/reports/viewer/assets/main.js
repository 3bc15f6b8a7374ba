"use strict";
// Starts the page: loads the table, follows deep links (#attempt/frame), and handles keys and the theme.

let page = null; // the data of the table: title, runs, tokenizer, columns, rows
const THEMES = ["", "light", "dark"]; // the first one is that of the system

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = `Theme: ${theme || "system"}`;
  try {
    localStorage.setItem("spellout-theme", theme);
  } catch {
    // a page that is opened as a file may have no storage
  }
}

function savedTheme() {
  try {
    const theme = localStorage.getItem("spellout-theme");
    return THEMES.includes(theme) ? theme : "";
  } catch {
    return "";
  }
}

function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = dark ? ["", "light", "dark"] : ["", "dark", "light"];
  setTheme(order[(order.indexOf(document.documentElement.dataset.theme || "") + 1) % order.length]);
}

async function follow() {
  const [name, frame] = location.hash.slice(1).split("/");
  const row = page.columns.name.indexOf(decoded(name));
  const open = name !== "" && row >= 0;
  if (open && view && view.row === row && frame !== undefined) selectFrame(Number(frame) || 0, true);
  else if (open) await openAttempt(row, frame === undefined || frame === "" ? null : Number(frame) || 0);
  else view = null;
  document.getElementById("sample-view").hidden = !open;
  document.getElementById("table-view").hidden = open;
  document.body.classList.toggle("reading", open);
  if (open && view.selected >= 0 && frame !== undefined) rowOf(view, view.selected).scrollIntoView({ block: "center" });
  if (!open) {
    selectRow(table.selected);
    document.getElementById("scroller").focus({ preventScroll: true });
  }
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const TABLE_KEYS = {
  j: () => selectRow(table.selected + 1),
  k: () => selectRow(table.selected - 1),
  n: () => selectFailure(1),
  p: () => selectFailure(-1),
  "/": () => document.getElementById("search").focus(),
  Enter: () => table.rows.length && (location.hash = encodeURIComponent(page.columns.name[table.rows[table.selected]])),
};
const SAMPLE_KEYS = {
  j: () => selectFrame(view.selected + 1, true),
  k: () => selectFrame(view.selected - 1, true),
  n: () => selectDivergence(1),
  p: () => selectDivergence(-1),
  "]": () => openNeighbour(1),
  "[": () => openNeighbour(-1),
  Escape: () => (location.hash = ""),
};
const ANY_KEYS = {
  t: nextTheme,
  "?": () => document.getElementById("keys").showModal(),
};

function onKey(event) {
  const typing = event.target.closest("input, select, textarea, dialog[open]");
  if (event.key === "Escape" && event.target.id === "search") event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const action = (view ? SAMPLE_KEYS : TABLE_KEYS)[event.key] || ANY_KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

async function start() {
  setTheme(savedTheme());
  document.getElementById("theme").addEventListener("click", nextTheme);
  document.getElementById("help").addEventListener("click", ANY_KEYS["?"]);
  page = await unpack("table");
  page.rows = page.columns.id.length;
  document.getElementById("title").replaceChildren(short(page.title, 120));
  document.getElementById("message").hidden = true;
  buildFilters();
  buildTable();
  await applyFilters();
  await follow();
  window.addEventListener("hashchange", follow);
  document.addEventListener("keydown", onKey);
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  const message = document.getElementById("message");
  message.hidden = false;
  message.textContent = `The page cannot be shown: ${error.message}`;
  throw error;
});
