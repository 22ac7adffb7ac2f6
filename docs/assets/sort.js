// Tables are sorted by a click (or Enter) on a heading: by number if all cells of the column start with one.
(function () {
  const number = (text) => {
    const found = text.replace(/,/g, "").match(/^[−-]?\d+(\.\d+)?/);
    return found ? parseFloat(found[0].replace("−", "-")) : NaN;
  };
  function sort(table, column, heading) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const texts = new Map(rows.map((row) => [row, (row.cells[column]?.textContent || "").trim()]));
    const filled = rows.filter((row) => texts.get(row));
    const numeric = filled.length > 0 && filled.every((row) => !isNaN(number(texts.get(row))));
    const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    rows.sort((a, b) => {
      const [x, y] = [texts.get(a), texts.get(b)];
      if (!x || !y) return !x - !y; // empty cells last
      return direction * (numeric ? number(x) - number(y) : x.localeCompare(y));
    });
    body.append(...rows);
  }
  function prepare() {
    for (const table of document.querySelectorAll(".md-typeset table")) {
      if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 3) continue;
      Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
        if (!heading.textContent.trim()) return;
        heading.setAttribute("aria-sort", "none");
        heading.tabIndex = 0;
        heading.addEventListener("click", () => sort(table, column, heading));
        heading.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(table, column, heading); });
      });
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", prepare);
  else prepare();
})();
