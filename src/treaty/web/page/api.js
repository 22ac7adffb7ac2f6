// The API, described by the server itself.
import { el } from "./dom.js";

const dark = localStorage.getItem("treaty-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.theme = dark;
const token = sessionStorage.getItem("treaty-token");
const answer = await fetch("/api/openapi.json", token ? { headers: { authorization: `Bearer ${token}` } } : {});
const schema = await answer.json();

function typeOf(field) {
  if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (field.const) return JSON.stringify(field.const);
  if (field.anyOf) return field.anyOf.map(typeOf).join(" | ");
  if (field.$ref) return field.$ref.split("/").at(-1);
  if (field.type === "array") return `list of ${typeOf(field.items)}`;
  return field.type || "anything";
}

function fields(name) {
  const { properties = {}, required = [] } = schema.components.schemas[name];
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ["field", "type", "default", "meaning"].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, Object.entries(properties).map(([key, field]) => el("tr", {}, el("td", {}, el("code", {}, key)), el("td", {}, typeOf(field)), el("td", {}, required.includes(key) ? "needed" : JSON.stringify(field.default ?? null)), el("td", {}, field.description || "")))),
  );
}

if (!answer.ok) {
  document.getElementById("about").textContent = "The server does not tell. Does it ask for a token?";
} else {
  document.getElementById("about").textContent = schema.info.description.split("\n\n").slice(0, 2).join(" ");
  for (const [path, methods] of Object.entries(schema.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const content = operation.requestBody?.content ?? {};
      const reference = content["application/json"]?.schema?.$ref;
      const examples = Object.values(content["application/json"]?.examples ?? {}).map((one) => one.value);
      document.getElementById("list").append(
        el(
          "section",
          { class: "card" },
          el("h2", {}, `${method.toUpperCase()} ${path}`),
          el("p", {}, operation.summary),
          examples.map((example) => el("pre", { tabindex: "0" }, `curl -s ${location.origin}${path} --json '${JSON.stringify(example).replaceAll("'", "'\\''")}'`)),
          reference ? el("details", {}, el("summary", {}, "Fields"), fields(reference.split("/").at(-1))) : null,
        ),
      );
    }
  }
}
