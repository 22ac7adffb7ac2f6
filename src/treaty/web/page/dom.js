// Small tools for elements: text is always set as text, never as markup.

export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, press, attributes = {}) {
  return el("button", { type: "button", onclick: press, ...attributes }, text);
}

// Text that is pressed like a button, but flows like text.
export function pressable(content, press, attributes = {}) {
  const act = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  };
  return el("span", { role: "button", tabindex: "0", onclick: act, onkeydown: act, ...attributes }, content);
}

let numbers = 0;

// A control with its label.
export function field(title, control, attributes = {}) {
  control.id ||= `field-${++numbers}`;
  return el("div", attributes, el("label", { for: control.id }, title), control);
}

export function select(options, chosen, change, attributes = {}) {
  const made = el("select", { onchange: () => change(made.value), ...attributes });
  for (const option of options) {
    const [value, title] = Array.isArray(option) ? option : [option, option];
    made.append(el("option", { value, selected: value === chosen }, title));
  }
  return made;
}

// A text field that files can be dropped on.
export function textField(value, change, attributes = {}) {
  const area = el("textarea", { value, spellcheck: "false", oninput: () => change(area.value), ...attributes });
  for (const name of ["dragover", "dragleave", "drop"]) {
    area.addEventListener(name, () => area.classList.toggle("dropping", name === "dragover"));
  }
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    area.value = await file.text();
    change(area.value);
  });
  return area;
}

// The same call again and again, but not before there is a pause.
export function afterPause(call, milliseconds = 300) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}

export function isRightToLeft(text) {
  const right = (text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g) || []).length;
  const left = (text.match(/[A-Za-z\u00c0-\u024f\u0370-\u052f]/g) || []).length;
  return right > left;
}

// The width of a text in pixels, as SVG draws it.
const canvas = document.createElement("canvas").getContext("2d");
export function widthOf(text, size = 16) {
  canvas.font = `${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
  return canvas.measureText(text).width;
}

function save(name, type, content) {
  const link = el("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function saveJson(name, value) {
  save(name, "application/json", `${JSON.stringify(value, null, 2)}\n`);
}

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "text-anchor", "opacity"];

// A picture as a file of its own: the styles of the page become attributes.
export function svgText(picture) {
  const copy = picture.cloneNode(true);
  const pairs = [[picture, copy], ...[...picture.querySelectorAll("*")].map((one, i) => [one, copy.querySelectorAll("*")[i]])];
  for (const [shown, own] of pairs) {
    const computed = getComputedStyle(shown);
    for (const name of STYLES) {
      const value = computed.getPropertyValue(name);
      if (value && !(name === "opacity" && value === "1")) own.setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "role", "aria-pressed", "aria-label"]) if (own !== copy) own.removeAttribute(name);
  }
  const ground = svg("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.documentElement).getPropertyValue("--paper") });
  copy.prepend(ground);
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(name, picture) {
  save(name, "image/svg+xml", svgText(picture));
}

// Buttons that save a picture, or what a function draws, and a record.
export function tools(picture, name, record) {
  const drawn = () => (typeof picture === "function" ? picture() : picture);
  return el(
    "p",
    { class: "row tools" },
    picture ? button("Save SVG", () => saveSvg(`${name}.svg`, drawn()), { class: "quiet small" }) : null,
    record ? button("Save JSON", () => saveJson(`${name}.json`, record), { class: "quiet small" }) : null,
  );
}

export function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function number(value, digits = 3) {
  return value === null || value === undefined ? "–" : Number(value.toFixed(digits)).toLocaleString("en");
}
