// A summary beside its sources: cuts, links both ways, a slider, and constraints by hand.
import { caller } from "./calls.js";
import { afterPause, button, el, field, pressable, select, textField, tools } from "./dom.js";
import { drawnProse } from "./prose.js";
import { ARTICLES } from "./samples.js";
import { verdict } from "./verdict.js";

const KINDS = { take: "always take", leave: "never take", keep: "keep", cut: "cut" };

export const summary = {
  title: "Summary",
  about: "The best sentences of several documents, with phrases cut where that is safe. Choose a sentence to see where it stands; take or leave it, keep or cut its words.",
  example: () => ({ documents: ARTICLES.map((article) => article.text), words: 60, short: false, method: "ad3", constraints: [] }),
  open(root, state, save, attempt) {
    const call = caller();
    if (!Array.isArray(state.documents) || !state.documents.length) state.documents = [""];
    if (!Array.isArray(state.constraints)) state.constraints = [];
    const status = el("p", { class: "status", role: "status" });
    const inputs = el("div", {});
    const wishes = el("div", {});
    const left = el("div", {});
    const right = el("div", {});
    let record = null;
    let chosen = null; // "document:sentence"
    let sent = [];

    async function run() {
      save(state);
      drawWishes();
      sent = state.documents.map((text) => String(text));
      const used = sent.map((text, i) => [text, i]).filter(([text]) => text.trim());
      if (!used.length) {
        call.stop();
        left.replaceChildren();
        right.replaceChildren();
        status.textContent = "Nothing to summarize yet.";
        return;
      }
      status.textContent = "Summarizing…";
      const articles = used.map(([text]) => ({ text }));
      sent = used.map(([text]) => text);
      const asked = { articles, words: Number(state.words) || 0, short: Boolean(state.short), method: state.method, sources: true, constraints: state.constraints };
      const answer = await attempt(() => call.ask("summarize", asked));
      if (!answer) {
        status.textContent = "";
        return;
      }
      [record] = answer.results;
      status.textContent = `${record.words} of ${record.limit} words, ${record.sentences.length} sentences of ${record.documents} documents.`;
      draw();
    }

    const soon = afterPause(run, 500);
    const nameOf = (one) => `${one.document}:${one.sentence}`;
    const wish = (kind, place, word) => state.constraints.find((one) => one.kind === kind && nameOf(one) === place && one.word === word);

    function draw() {
      if (!record) return;
      const taken = new Map(record.sentences.map((one) => [nameOf(one), one]));
      const prose = el("p", { class: "prose", dir: "auto" }, record.sentences.map((one) => [sentence(nameOf(one), withCuts(one), taken), " "]));
      left.replaceChildren(
        el("h2", {}, "Summary"),
        el(
          "div",
          { class: "card" },
          prose,
          verdict(record.certificate, "summary", state.constraints.length > 0),
          tools(() => drawnProse(prose), "summary", record),
        ),
        chosen ? panel(taken.get(chosen)) : "",
      );
      const documents = sent.map((text, i) => {
        const body = el("p", { class: "prose", dir: "auto" });
        const characters = [...text];
        let done = 0;
        for (const one of record.sources.filter((source) => source.document === i + 1)) {
          if (!one.span || one.span[0] < done) continue;
          const place = nameOf(one);
          body.append(characters.slice(done, one.span[0]).join(""));
          const shown = taken.has(place) ? withCuts(taken.get(place), true) : characters.slice(...one.span).join("");
          body.append(sentence(place, shown, taken, "source"));
          [, done] = one.span;
        }
        body.append(characters.slice(done).join(""));
        return el("section", { class: "card document", "aria-label": `Document ${i + 1}` }, el("h3", {}, `Document ${i + 1}`), body);
      });
      right.replaceChildren(el("h2", {}, "Sources"), el("div", { class: "sources", role: "region", "aria-label": "Sources", tabindex: "0" }, documents));
    }

    function withCuts(one, isSource = false) {
      const parts = [];
      const added = new Map((isSource ? [] : one.added || []).map(({ token, text }) => [token, text]));
      one.tokens.forEach((token, i) => {
        if (added.has(i)) parts.push(el("ins", {}, `${added.get(i)} `));
        const space = one.spaces?.[i] ?? (i + 1 < one.tokens.length && !/^[,.;:!?’')\]]/.test(one.tokens[i + 1]) ? " " : "");
        const piece = token + space;
        if (one.kept[i]) parts.push(piece);
        else if (parts.at(-1)?.localName === "del") parts.at(-1).append(piece);
        else parts.push(el("del", {}, piece));
      });
      return parts;
    }

    function sentence(place, shown, taken, where = "summary") {
      const classes = ["sentence", taken.has(place) && where === "source" ? "taken" : "", wish("take", place) ? "wanted" : "", wish("leave", place) ? "unwanted" : ""];
      return pressable(shown, () => {
        chosen = chosen === place ? null : place;
        draw();
        const own = root.querySelector(`[data-where="${where}"][data-place="${place}"]`);
        own?.focus({ preventScroll: true });
        const other = root.querySelector(`[data-where="${where === "source" ? "summary" : "source"}"][data-place="${place}"]`);
        if (chosen) other?.scrollIntoView({ block: "nearest" });
      }, { class: classes.join(" ").trim(), "data-place": place, "data-where": where, "aria-pressed": chosen === place ? "true" : "false" });
    }

    function toggle(kind, word) {
      const [document, number] = chosen.split(":").map(Number);
      const against = { take: "leave", leave: "take", keep: "cut", cut: "keep" }[kind];
      const old = wish(kind, chosen, word);
      const other = wish(against, chosen, word);
      state.constraints = state.constraints.filter((one) => one !== old && one !== other);
      if (!old) state.constraints.push({ kind, document, sentence: number, ...(word ? { word } : {}) });
      run();
    }

    function panel(one) {
      const [document, number] = chosen.split(":");
      const words = one?.tokens.map((token, i) => {
        if (!/[\p{L}\p{N}]/u.test(token)) return null;
        const kind = wish("keep", chosen, i + 1) ? "keep" : wish("cut", chosen, i + 1) ? "cut" : one.kept[i] ? "cut" : "keep";
        const wanted = Boolean(wish(kind, chosen, i + 1));
        return button(token, () => toggle(kind, i + 1), { class: `${one.kept[i] ? "" : "cut"} ${wanted ? "wanted" : ""}`.trim(), "aria-label": wanted ? `Let the model decide about ${token}` : `${kind === "cut" ? "Cut" : "Keep"} ${token}` });
      });
      return el(
        "div",
        { class: "card", role: "group", "aria-label": "The chosen sentence" },
        el("h3", {}, `Sentence ${number} of document ${document}`),
        el("p", { class: "row" }, ["take", "leave"].map((kind) => button(kind === "take" ? "Always take it" : "Never take it", () => toggle(kind), { class: "small", "aria-pressed": wish(kind, chosen) ? "true" : "false" }))),
        one?.cuts.length ? el("p", { class: "status" }, `Cut: ${one.cuts.map((cut) => `“${cut.text}” (${cut.kind})`).join(", ")}`) : null,
        words ? el("p", { class: "label" }, "Choose a word to cut it, or to keep one that is cut") : null,
        words ? el("div", { class: "words" }, words) : null,
      );
    }

    function drawWishes() {
      const said = (one) => `${KINDS[one.kind]}${one.word ? ` word ${one.word} of` : ""} sentence ${one.sentence} of document ${one.document}`;
      const items = state.constraints.map((one) =>
        el("li", {}, said(one), button("×", () => {
          state.constraints = state.constraints.filter((other) => other !== one);
          run();
        }, { "aria-label": `Remove: ${said(one)}` })),
      );
      wishes.replaceChildren(items.length ? el("ul", { class: "chips", "aria-label": "Your constraints" }, items) : "");
    }

    function drawInputs() {
      inputs.replaceChildren(
        ...state.documents.map((text, i) =>
          el(
            "div",
            { class: "document" },
            field(`Document ${i + 1}`, textField(text, (value) => {
              state.documents[i] = value;
              state.constraints = [];
              soon();
            }, { dir: "auto", rows: 4 })),
            state.documents.length > 1 ? button("Remove", () => {
              state.documents.splice(i, 1);
              state.constraints = [];
              drawInputs();
              soon();
            }, { class: "quiet small", "aria-label": `Remove document ${i + 1}` }) : null,
          ),
        ),
        el("p", { class: "row" }, button("Add a document", () => {
          state.documents.push("");
          drawInputs();
          inputs.querySelectorAll("textarea")[state.documents.length - 1].focus();
        })),
      );
    }

    const length = el("output", {}, String(state.words));
    const slider = el("input", { type: "range", min: 5, max: 250, step: 5, value: state.words, oninput: () => {
      state.words = Number(slider.value);
      length.textContent = slider.value;
      soon();
    } });
    const bold = select([["safe", "only what is safe"], ["short", "whatever the rules allow"]], state.short ? "short" : "safe", (value) => {
      state.short = value === "short";
      run();
    });
    const method = select([["ad3", "fast, with a bound"], ["exact", "until it is proved the best"]], state.method, (value) => {
      state.method = value;
      run();
    });
    drawInputs();
    root.append(
      el("div", { class: "columns even" }, field(["At most ", length, " words"], slider), el("div", { class: "row" }, field("Cuts", bold), field("Search", method))),
      status,
      wishes,
      el("div", { class: "columns even" }, left, right),
      el("details", {}, el("summary", {}, "Edit the documents"), inputs),
    );
    run();
    return () => call.stop();
  },
};
