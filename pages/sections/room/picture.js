// The picture of what may leave: all outputs on the axis, the possible answers, the own one, and the
// mean as a triangle under it. What was sent is marked like the answer, and rehearsals are dots.

const HIGH = 132, LINE = 18, BELOW = 74, SIDE = 10, DOT = 4.5;

// `view`: density, low, high, answer (numbers), marks (their texts, and those of the outputs), unit,
// sent (a number or null), rehearsals (numbers), words (what a screen reader says).
function numberPicture(view, width) {
  const ceiling = LINE * (view.sent === null ? 1 : 2) + 8, axis = ceiling + HIGH, height = axis + BELOW;
  const [first, last] = view.density.whole;
  const edges = [view.density.steps[0][0], view.density.steps.at(-1)[1]];
  const X = (value) => SIDE + (width - 2 * SIDE) * (value - edges[0]) / (edges[1] - edges[0]);
  const svg = make("svg", { role: "img", "aria-label": view.words, viewBox: `0 0 ${width} ${height}`, height });
  const put = (tag, attributes) => svg.appendChild(make(tag, attributes));
  const write = (text, x, y, kind = "", anchor = "middle") => {
    put("text", { x, y, class: kind, "text-anchor": anchor }).textContent = text;
  };
  const [low, high, answer] = [view.low, view.high, view.answer].map(X);
  put("rect", { class: "answers", x: low, y: ceiling, width: high - low, height: HIGH });
  const top = Math.max(...view.density.steps.map(([, , share]) => share));
  put("path", { class: "density", d: outline(view.density.steps, X, (share) => axis - (HIGH - 6) * share / top, axis) });
  for (const end of [low, high]) put("line", { class: "bound", x1: end, x2: end, y1: ceiling, y2: axis + 6 });
  put("line", { class: "axis", x1: X(edges[0]), x2: X(edges[1]), y1: axis, y2: axis });
  for (const end of [first, last]) put("line", { class: "axis", x1: X(end), x2: X(end), y1: axis - 5, y2: axis + 6 });

  const flag = (kind, x, row, words) => {
    put("line", { class: kind, x1: x, x2: x, y1: row * LINE + 3, y2: axis });
    write(words, within(x, 3.7 * words.length, width), row * LINE - 3, "strong halo");
  };
  flag("own", answer, 1, `your answer: ${view.marks.answer}`);
  if (view.sent !== null) flag("sent", X(view.sent), 2, `sent: ${view.marks.sent}`);
  const mean = X(view.density.mean);
  put("path", { class: "mean", d: `M${mean} ${axis + 1}l8 14h-16Z` });

  labels(view, { low, high, mean, axis, width }, write);
  dots(view.rehearsals, { X, axis, ceiling, put });
  return svg;
}

// Where the middle of a line of text lies that shall not run out of the picture.
function within(x, half, width) {
  return Math.min(Math.max(x, half), width - half);
}

function labels({ marks, unit, rehearsals }, { low, high, mean, axis, width }, write) {
  // Where the triangle is, the number of a bound makes room for it, towards the end.
  const room = (x, text) => Math.max(0, 12 + 3.7 * text.length - Math.abs(x - mean));
  write(marks.low, low - room(low, marks.low), axis + 20, "strong");
  write(marks.high, high + room(high, marks.high), axis + 20, "strong");
  if (Math.min(mean - low, high - mean) > 52) write("mean", mean, axis + 29);
  write(marks.first, SIDE - 6, axis + 44, "", "start");
  write(marks.last, width - SIDE + 6, axis + 44, "", "end");
  write(`all that can leave${unit}`, width / 2, axis + 44);
  const hollow = rehearsals.length > 1 ? " · hollow: mean of rehearsals" : `, ${marks.low} to ${marks.high}`;
  write(`grey: possible answers${hollow}`, width / 2, axis + 64);
}

// Rehearsals lie on the axis, and those that would hide each other one above the other. A hollow
// triangle is the mean of them all.
function dots(rehearsals, { X, axis, ceiling, put }) {
  const heaps = new Map(), size = 2 * DOT + 1;
  for (const value of rehearsals) {
    const column = Math.round(X(value) / size), many = heaps.get(column) ?? 0;
    heaps.set(column, many + 1);
    const y = Math.max(ceiling + DOT, axis - DOT - 2 - many * size);
    put("circle", { class: "rehearsal", cx: column * size, cy: y, r: DOT });
  }
  if (rehearsals.length < 2) return;
  const mean = X(rehearsals.reduce((all, each) => all + each, 0) / rehearsals.length);
  put("path", { class: "rehearsal hollow", d: `M${mean} ${axis + 1}l8 14h-16Z` });
}

function outline(steps, X, Y, axis) {
  let d = `M${X(steps[0][0]).toFixed(1)} ${axis}`, drawn = -1;
  for (const [from, to, share] of steps) {
    // Narrower than is seen: a curve of thousands of steps need not draw them all.
    if (X(to) - drawn < 0.3 && to !== steps.at(-1)[1]) continue;
    d += `V${Y(share).toFixed(1)}H${X(to).toFixed(1)}`;
    drawn = X(to);
  }
  return `${d}V${axis}Z`;
}

function make(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// Bars of categories are a list: names may be long, and each is read out with its number.
// `view`: categories, shares, answer (a place), sent (a place or null), rehearsals (places).
function categoryPicture(view) {
  const list = document.createElement("ul");
  list.className = "bars";
  view.categories.forEach((name, place) => {
    const bar = element("span", "bar");
    bar.style.width = `${100 * view.shares[place]}%`;
    const track = element("span", "track");
    track.append(bar);
    const words = element("span", "name", name);
    if (place === view.answer) words.append(element("em", "", " your answer"));
    if (place === view.sent) words.append(element("em", "", " sent"));
    const many = view.rehearsals.filter((each) => each === place).length;
    if (many) words.append(element("em", "", many === 1 ? " 1 rehearsal" : ` ${many} rehearsals`));
    const item = element("li", place === view.answer ? "mine" : "");
    item.append(words, element("span", "share", percent(view.shares[place])), track);
    list.append(item);
  });
  return list;
}

function element(tag, kind, text = "") {
  return Object.assign(document.createElement(tag), { className: kind, textContent: text });
}

const percent = (share) => (share < 0.0005 ? "< 0.1 %" : share > 0.9995 && share < 1 ? "> 99.9 %" : `${(100 * share).toFixed(1)} %`);
