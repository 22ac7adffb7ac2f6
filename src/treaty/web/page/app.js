// The frame of the page: views, permalinks, theme, and problems.
import { onToken, useToken } from "./calls.js";
import { el } from "./dom.js";
import { grammar } from "./grammar.js";
import { graph } from "./graph.js";
import { names } from "./names.js";
import { summary } from "./summary.js";
import { thread } from "./thread.js";
import { trees } from "./trees.js";

const VIEWS = { trees, names, summary, thread, graph, grammar };
const LONGEST_LINK = 30000;
const kept = {}; // what was typed in each view, while the page is open
const find = (id) => document.getElementById(id);
let leave = () => {};
let shown = null;

// The address: #view, or #view= and what was typed, as JSON. Browsers do not send this part.
function readAddress() {
  const [name, ...rest] = location.hash.slice(1).split("=");
  const view = name in VIEWS ? name : "trees";
  if (!rest.length) return [view, kept[view]];
  try {
    const state = JSON.parse(decodeURIComponent(rest.join("=")));
    return [view, state && typeof state === "object" && !Array.isArray(state) ? state : undefined];
  } catch {
    tell("The link is damaged; the view shows its example.");
    return [view, undefined];
  }
}

function writeAddress(view, state) {
  kept[view] = state;
  const text = encodeURIComponent(JSON.stringify(state));
  history.replaceState(null, "", text.length > LONGEST_LINK ? `#${view}` : `#${view}=${text}`);
}

function tell(message) {
  find("problem").textContent = message;
  find("problem").hidden = !message;
}

function show() {
  if (location.hash === "#main") return;
  const [name, state] = readAddress();
  leave();
  shown = name;
  tell("");
  const view = VIEWS[name];
  const root = el("div", {});
  find("view").replaceChildren(root);
  document.title = `${view.title} · Treaty`;
  for (const link of find("views").querySelectorAll("a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  root.append(el("h1", {}, view.title), el("p", { class: "lead" }, view.about));
  const attempt = async (work) => {
    try {
      tell("");
      return await work();
    } catch (error) {
      tell(error.message);
      return undefined;
    }
  };
  leave = view.open(root, { ...view.example(), ...state }, (now) => shown === name && writeAddress(name, now), attempt) || (() => {});
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  find("theme").textContent = theme === "dark" ? "Light" : "Dark";
  find("theme").setAttribute("aria-label", `Use ${theme === "dark" ? "light" : "dark"} colors`);
}

for (const [name, view] of Object.entries(VIEWS)) {
  find("views").append(el("li", {}, el("a", { href: `#${name}` }, view.title)));
}
const dark = matchMedia("(prefers-color-scheme: dark)");
setTheme(localStorage.getItem("treaty-theme") || (dark.matches ? "dark" : "light"));
dark.addEventListener("change", () => localStorage.getItem("treaty-theme") || setTheme(dark.matches ? "dark" : "light"));
find("theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("treaty-theme", theme);
  setTheme(theme);
});
onToken(() => {
  find("token-form").hidden = false;
});
find("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(find("token").value.trim());
  find("token-form").hidden = true;
  show();
});
addEventListener("hashchange", show);
show();
