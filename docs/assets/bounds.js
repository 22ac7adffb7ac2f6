// Draws bound and best answer of a solver, iteration by iteration: the steps were made by Treaty when the page was built.
(function () {
  const W = 720, H = 260, L = 50, R = 16, T = 20, B = 36;
  function draw(figure, steps, upto) {
    const shown = steps.slice(0, upto);
    const values = steps.flat().filter((v) => v !== null);
    const high = Math.max(...values);
    const least = Math.min(...values), low = least - 0.2 * (high - least);
    const x = (i) => L + (W - L - R) * Math.log1p(i) / Math.log1p(steps.length - 1);
    const y = (v) => T + (H - T - B) * (high - Math.min(v, high)) / (high - low);
    const path = (k) => {
      let d = "", before = null;
      shown.forEach((s, i) => {
        if (s[k] === null) return;
        d += before === null ? `M${x(i)},${y(s[k])}` : `L${x(i)},${y(before)}L${x(i)},${y(s[k])}`;
        before = s[k];
      });
      return d;
    };
    const [bound, best] = shown[shown.length - 1];
    const gap = best === null ? "no answer yet" : `bound ${bound.toFixed(3)} · answer ${best.toFixed(3)} · gap ${Math.max(0, bound - best).toFixed(3)}`;
    figure.firstChild.innerHTML =
      `<line class="axis" x1="${L}" y1="${H - B}" x2="${W - R}" y2="${H - B}"/><line class="axis" x1="${L}" y1="${T}" x2="${L}" y2="${H - B}"/>` +
      `<path class="bound" d="${path(0)}"/><path class="best" d="${path(1)}"/>` +
      `<text class="bound" x="${W - R}" y="${T}" text-anchor="end">— bound: no answer is better</text>` +
      `<text class="best" x="${W - R}" y="${T + 20}" text-anchor="end">— best answer so far</text>` +
      `<text x="${W - R}" y="${H - 10}" text-anchor="end">iteration ${shown.length} · ${gap}</text>`;
  }
  function start(figure) {
    const steps = JSON.parse(figure.dataset.steps);
    figure.innerHTML = `<svg viewBox="0 0 ${W} ${H}" width="${W}" role="img" aria-label="Bound and best answer of AD3 by iteration"></svg><div><button class="md-button" type="button">Play</button></div>`;
    let run = 0;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    function play() {
      const mine = ++run, begin = performance.now();
      function frame(now) {
        if (mine !== run) return;
        const part = still ? 1 : Math.min(1, (now - begin) / 4000);
        draw(figure, steps, Math.max(1, Math.round(Math.expm1(part * Math.log1p(steps.length)))));
        if (part < 1) requestAnimationFrame(frame);
      }
      requestAnimationFrame(frame);
    }
    figure.querySelector("button").addEventListener("click", play);
    draw(figure, steps, steps.length);
  }
  function all() { document.querySelectorAll("figure.bounds").forEach(start); }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
})();
