// What looks.py asks of the page as it stands. Each function answers with what is wrong.

const main = document.querySelector('[data-testid="stMain"]');
const up = (e) => e.parentElement ?? e.getRootNode().host;

// Players live in shadow trees, where a plain search does not look.
const deep = (root, selector) => [
  ...root.querySelectorAll(selector),
  ...[...root.querySelectorAll("*")]
    .filter((e) => e.shadowRoot)
    .flatMap((e) => deep(e.shadowRoot, selector)),
];

// Words that are not shown to their end.

function scrolls(e) {
  for (let at = e; at && at !== main; at = up(at))
    if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}

const hides = (e) => /hidden|clip/.test(getComputedStyle(e).overflowX);

function words(e) {
  if (e instanceof HTMLInputElement) return /text|search/.test(e.type) ? e.value : "";
  return [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
}

function howCut(e) {
  const box = e.getBoundingClientRect();
  if (box.width < 2 || box.height < 2) return null;
  if (e instanceof SVGElement) {
    const sheet = e.tagName === "text" && e.ownerSVGElement?.getBoundingClientRect();
    const outside = sheet && (box.left < sheet.left - 1 || box.right > sheet.right + 1);
    return outside ? "beyond the chart" : null;
  }
  if (hides(e) && e.clientWidth && e.scrollWidth > e.clientWidth + 1) return "cut";
  for (let at = up(e); at && at !== main && !scrolls(at); at = up(at)) {
    const frame = at.getBoundingClientRect();
    // What is meant for screen readers alone lies in a frame of one pixel.
    if (hides(at) && frame.width > 2 && box.right > frame.right + 1) return "cut";
  }
  return box.right > innerWidth + 1 && !scrolls(e) ? "beyond the window" : null;
}

function cut() {
  return deep(main, "*")
    .filter((e) => !e.closest('[data-testid="stDataFrame"], style, script, title'))
    .filter((e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((e) => words(e) && howCut(e))
    .map((e) => `${howCut(e)}: ${e.textContent.trim() || words(e)}`);
}

// Words and drawn things of charts that are too faint.

function parse(colour) {
  const numbers = /rgba?\(([^)]+)\)/.exec(colour ?? "");
  if (!numbers) return null;
  const [r, g, b, a = 1] = numbers[1].split(/[ ,/]+/).map(Number);
  return [r, g, b, a];
}

const over = ([r, g, b, a], [R, G, B]) =>
  [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];

function luminance(colour) {
  const [r, g, b] = colour.map((v) => {
    const share = v / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [bright, dark] = [luminance(one), luminance(other)].sort((p, q) => q - p);
  return (bright + 0.05) / (dark + 0.05);
}

function behind(e) {
  const layers = [];
  for (let at = e; at; at = up(at)) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour && colour[3] > 0) layers.push(colour);
    if (colour?.[3] === 1) break;
  }
  return layers.reduceRight((under, colour) => over(colour, under), [255, 255, 255, 1]);
}

function strength(e, what, paper) {
  const style = getComputedStyle(e);
  const colour = parse(style[what]);
  if (!colour || (what === "stroke" && parseFloat(style.strokeWidth) === 0)) return 1;
  colour[3] *= parseFloat(style[`${what}Opacity`]) * parseFloat(style.opacity);
  return contrast(over(colour, paper), paper);
}

function faint() {
  const found = [];
  for (const sheet of deep(main, ".js-plotly-plot, .stage svg")) {
    const paper = behind(sheet);
    for (const text of sheet.querySelectorAll("text")) {
      if (!text.textContent.trim() || text.closest(".hoverlayer") || !text.checkVisibility()) continue;
      const strongest = strength(text, "fill", paper);
      if (strongest < 4.5) found.push(`${strongest.toFixed(2)}: the words ${text.textContent}`);
    }
    // A thing is seen by its strongest part: an area by its edge, a bar by its hatching.
    for (const thing of sheet.querySelectorAll(".trace, .barlayer .points, .legend .traces")) {
      const marks = [...thing.querySelectorAll("path, line, rect:not(.legendtoggle)")];
      const parts = marks.flatMap((m) => ["fill", "stroke"].map((what) => strength(m, what, paper)));
      const strongest = Math.max(1, ...parts);
      if (strongest > 1 && strongest < 3) {
        const name = thing.textContent.trim() || thing.getAttribute("class");
        found.push(`${strongest.toFixed(2)}: the mark of ${name}`);
      }
    }
  }
  return found;
}

// Words of charts that lie on each other.

function overlapping() {
  const found = [];
  for (const sheet of deep(main, ".js-plotly-plot")) {
    const boxes = [...sheet.querySelectorAll("text")]
      .filter((text) => text.textContent.trim() && !text.closest(".hoverlayer"))
      .filter((text) => text.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((text) => [text, text.getBoundingClientRect()]);
    // The name of an axis keeps off the whole line of its labels, also where there is none.
    const row = (text, box) => (text.matches(".xtitle") ? [0, innerWidth] : [box.left, box.right]);
    for (const [i, [one, a]] of boxes.entries())
      for (const [other, b] of boxes.slice(i + 1)) {
        const [left, right] = row(one, a);
        const [start, end] = row(other, b);
        const wide = Math.min(right, end) - Math.max(left, start);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 2) found.push(`overlapping: ${one.textContent} | ${other.textContent}`);
      }
  }
  return found;
}

// Charts that say nothing to those who cannot see them.

function said(e) {
  const label = document.getElementById(e?.getAttribute("aria-labelledby"))?.textContent;
  return (e?.getAttribute("aria-label") || label || "").trim();
}

function mute() {
  const charts = deep(main, ".stPlotlyChart").filter((chart) =>
    ![chart, chart.closest('[role="img"]'), chart.querySelector('[role="img"]')].some(said));
  const players = deep(main, ".stage svg").filter((player) => !said(player));
  return [...charts, ...players].map((e) => `without words: ${e.textContent.slice(0, 60)}`);
}
