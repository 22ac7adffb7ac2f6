// A thread: who answers whom.
import { caller } from "./calls.js";
import { afterPause, el, field, percent, svg, textField, tools, widthOf } from "./dom.js";
import { verdict } from "./verdict.js";

const LINE = 19;
const ROOM = 14;
const LANE = 16;
const MOST_POSTS = 400;

export const thread = {
  title: "Thread",
  about: "One post a line, “name: text”. Arcs lead from a post to the one it answers.",
  example: () => ({
    text: "ann: how do I mount a usb stick?\nbob: ann: sudo mount /dev/sdb1 /mnt\ncem: does anyone know a good mail program?\nann: bob: it says permission denied\nbob: did you type sudo?\ndee: cem: I like mutt\nann: ah, works now. thanks!\n",
  }),
  open(root, state, save, attempt) {
    const call = caller();
    const status = el("p", { class: "status", role: "status" });
    const result = el("div", {});

    async function run() {
      save(state);
      const posts = readPosts(String(state.text));
      if (posts.length < 2) {
        call.stop();
        result.replaceChildren();
        status.textContent = "A thread has at least two posts.";
        return;
      }
      status.textContent = "Linking…";
      const answer = await attempt(() => call.ask("link", { posts: posts.slice(0, MOST_POSTS) }));
      if (!answer) {
        status.textContent = "";
        return;
      }
      const [record] = answer.results;
      const cut = posts.length > MOST_POSTS ? ` The first ${MOST_POSTS} posts are shown.` : "";
      status.textContent = `${record.posts.length} posts, ${record.links.length} links.${cut}`;
      const picture = drawThread(record, Math.min(900, Math.max(280, root.clientWidth - 40)));
      result.replaceChildren(
        el(
          "figure",
          { class: "card" },
          el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Thread" }, picture),
          el("figcaption", {}, verdict(record.certificate, "set of links"), tools(picture, "thread", record)),
        ),
      );
    }

    const soon = afterPause(run);
    root.append(field("Posts", textField(state.text, (text) => {
      state.text = text;
      soon();
    }, { dir: "auto", rows: 8 })), status, result);
    run();
    return () => call.stop();
  },
};

function readPosts(text) {
  return text
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => {
      const found = line.match(/^\s*<?([^\s:<>]{1,40})>?\s*[:>]\s+(.*)$/);
      return found ? { author: found[1], text: found[2] } : { text: line.trim() };
    });
}

function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const pieces = word.length > 60 ? word.match(/.{1,40}/gu) : [word];
    for (const piece of pieces) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${piece}` : piece;
      if (widthOf(longer, 14) > width && lines.at(-1)) lines.push(piece);
      else lines[lines.length - 1] = longer;
    }
  }
  return lines;
}

function drawThread(record, width) {
  const lanes = lanesOf(record.links);
  const left = 14 + LANE * (1 + Math.max(0, ...lanes));
  const parts = [];
  const tops = [];
  let y = 8;
  for (const post of record.posts) {
    const lines = wrapped(post.text, width - left - 20);
    tops.push(y + 12);
    parts.push(svg("text", { class: "author", x: left + 12, y: y + 14 }, post.author || "–"));
    lines.forEach((line, i) => parts.push(svg("text", { x: left + 12, y: y + 14 + LINE * (i + 1) }, line)));
    y += LINE * (lines.length + 1) + ROOM;
  }
  const count = record.posts.map(() => 0);
  record.links.forEach(([source, target], i) => {
    const x = left - LANE * lanes[i];
    const [begin, end] = [tops[source], tops[target] + 4 + 3 * count[target]++];
    parts.push(
      svg("path", { d: `M${left} ${begin}H${x + 6}Q${x} ${begin} ${x} ${begin - 6}V${end + 6}Q${x} ${end} ${x + 6} ${end}H${left}` }),
      svg("circle", { cx: left, cy: end, r: 3 }),
    );
  });
  const told = record.links.map(([source, target], i) => `post ${source + 1} answers post ${target + 1}, confidence ${percent(record.confidences[i])}`).join("; ");
  record.links.forEach(([source], i) => {
    const name = widthOf(record.posts[source].author || "–", 12);
    parts.push(svg("text", { class: "sure", x: left + 12 + name + 10, y: tops[source] + 2 }, percent(record.confidences[i])));
  });
  return svg("svg", { class: "thread", width, height: y, viewBox: `0 0 ${width} ${y}`, role: "img", "aria-label": told || "No links" }, parts);
}

// Lanes for arcs, so that no two overlap.
function lanesOf(links) {
  const used = [];
  const order = links.map((link, i) => [link, i]).sort(([a], [b]) => a[0] - a[1] - (b[0] - b[1]));
  const lanes = [];
  for (const [[source, target], i] of order) {
    let lane = 0;
    while (used[lane]?.some(([low, high]) => low < source && target < high)) lane += 1;
    (used[lane] ||= []).push([target, source]);
    lanes[i] = lane + 1;
  }
  return lanes;
}
