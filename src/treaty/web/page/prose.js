// Text as it is shown, word by word, as a picture: names keep their color, cuts their line.
import { svg } from "./dom.js";

const EDGE = 12;
const canvas = document.createElement("canvas").getContext("2d");

export function drawnProse(element) {
  const frame = element.getBoundingClientRect();
  const x = (value) => (value - frame.left + EDGE).toFixed(1);
  const y = (value) => (value - frame.top + EDGE).toFixed(1);
  const boxes = [...element.querySelectorAll("button")].flatMap((one) => {
    const fill = getComputedStyle(one).backgroundColor;
    return [...one.getClientRects()].map((box) => svg("rect", { x: x(box.left), y: y(box.top), width: box.width.toFixed(1), height: box.height.toFixed(1), rx: 4, fill }));
  });
  const words = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    const style = getComputedStyle(node.parentElement);
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const line = node.parentElement.closest("del") ? "line-through" : node.parentElement.closest("ins") ? "underline" : null;
    const looks = { fill: style.color, "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight, "text-decoration": line };
    for (const found of node.data.matchAll(/\S+/g)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      const ascent = canvas.measureText(found[0]).fontBoundingBoxAscent;
      words.push(svg("text", { x: x(box.left), y: y(box.top + ascent), ...looks }, found[0]));
    }
  }
  const [width, height] = [frame.width, frame.height].map((size) => Math.ceil(size + 2 * EDGE));
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, boxes, words);
}
