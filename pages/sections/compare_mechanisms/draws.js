// Draws appear one by one in a lane for each mechanism; beside them, what averaging them would tell.

const DASHES = {
  solid: "none", dash: "8 5", dot: "2 4", dashdot: "8 4 2 4", longdash: "14 5", longdashdot: "14 4 2 4",
};

const SHOW = {
  look: (data) => `
.lane { stroke: var(--grid); }
.input { stroke: var(--true); stroke-width: 1.5; stroke-dasharray: 2 4; }
.truth { stroke: var(--true); stroke-width: 2; stroke-dasharray: 8 5; }
${data.rows.map((row, i) => `
.dot${i} { fill: ${row.colour}; fill-opacity: 0.45; }
.out${i} { fill: none; stroke: ${row.colour}; stroke-width: 1.5; }
.now${i} { fill: var(--paper); stroke: ${row.colour}; stroke-width: 3; }
.band${i} { fill: ${row.colour}; fill-opacity: 0.13; stroke: none; }
.mean${i} { fill: none; stroke: ${row.colour}; stroke-width: 2.5; stroke-dasharray: ${DASHES[row.dash] ?? "none"}; }`).join("")}
`,

  layout(width, data) {
    const lanes = 92 + 54 * data.rows.length, tall = Math.max(360, lanes);
    return width >= 760
      ? { boxes: [[0, 0, width * 0.52, tall], [width * 0.52 + 12, 0, width * 0.48 - 12, tall]], height: tall }
      : { boxes: [[0, 0, width, lanes], [0, lanes + 8, width, 300]], height: lanes + 308 };
  },

  parts: [lanes, means],

  words(data, i) {
    const draw = data.draw[i];
    const told = data.rows.map((row) => {
      const error = row.error[i] === null ? "" : ` ± ${number(row.error[i], 2)}`;
      return `${row.name}: ${number(row.mean[i])}${error}`;
    });
    return [
      `draw ${count(draw)} of ${count(data.draws)}`,
      `mean so far ± standard error (${data.unit}): ${told.join(", ")}`,
      `real releases would have spent ε = ${number(draw * data.epsilon, 4)} by now`,
    ];
  },

  key: (data) => [
    ["truth", "true value"], ["input", "ends of the inputs"],
    ...data.rows.map((row, i) => [`mean${i}`, row.name]),
  ],

  file: (data, i) => `draws-${data.draw[i]}`,
};

function lanes(svg, box, data) {
  const frame = panel(svg, box, {
    title: data.thinned ? "Draws (a sample of them)" : "Draws, one by one", x: linear(...data.reach),
    y: { at: (v) => v / data.rows.length, ticks: () => [] }, xName: `released value (${data.unit})`, yName: "",
  });
  const { X, Y, inside } = frame;
  const parts = data.rows.map((row, r) => {
    const middle = data.rows.length - r - 0.62;
    const height = (i) => Y(middle - 0.03 + 0.4 * (((i * 0.618034) % 1) - 0.5));
    const place = (v) => X(Math.min(Math.max(v, data.reach[0]), data.reach[1]));
    inside.append(make("line", { class: "lane", x1: frame.left, x2: frame.left + frame.width, y1: Y(middle - 0.34), y2: Y(middle - 0.34) }));
    for (const [kind, v] of [["input", data.inputs[0]], ["input", data.inputs[1]], ["truth", data.value]])
      inside.append(make("line", { class: kind, x1: X(v), x2: X(v), y1: Y(middle - 0.3), y2: Y(middle + 0.24) }));
    const within = row.released.map((v, i) => (row.outside[i] ? "" : circle(place(v), height(i), 2.6)));
    const beyond = row.released.map((v, i) => (row.outside[i] ? cross3(place(v), height(i)) : ""));
    const dots = inside.appendChild(make("path", { class: `dot${r}` }));
    const outs = inside.appendChild(make("path", { class: `out${r}` }));
    const now = inside.appendChild(make("path", { class: `now${r}` }));
    const words = frame.text("", frame.left + 4, Y(middle + 0.3));
    return (i) => {
      dots.setAttribute("d", within.slice(0, i + 1).join(""));
      outs.setAttribute("d", beyond.slice(0, i + 1).join(""));
      now.setAttribute("d", circle(place(row.released[i]), height(i), 5));
      words.textContent = `${row.name}: now ${number(row.released[i])}, ${row.count[i] ? count(row.count[i]) : "none"} outside`;
    };
  });
  return (i) => parts.forEach((part) => part(i));
}

function means(svg, box, data) {
  const frame = panel(svg, box, {
    title: "Mean so far ± standard error", x: log(1, Math.max(data.draws, 2)), y: linear(...data.heights),
    xName: "draws", yName: "",
  });
  const { X, Y, inside } = frame;
  const flat = inside.appendChild(make("line", { class: "truth", x1: frame.left, x2: frame.left + frame.width, y1: Y(data.value), y2: Y(data.value) }));
  const at = data.draw.map((d) => X(d).toFixed(1));
  const parts = data.rows.map((row, r) => {
    const high = row.mean.map((m, i) => Y(m + (row.error[i] ?? 0)).toFixed(1));
    const low = row.mean.map((m, i) => Y(m - (row.error[i] ?? 0)).toFixed(1));
    const middle = row.mean.map((m) => Y(m).toFixed(1));
    const band = inside.appendChild(make("path", { class: `band${r}` }));
    const line = inside.appendChild(make("path", { class: `mean${r}` }));
    return (i) => {
      const upper = at.slice(1, i + 1).map((x, j) => `${x} ${high[j + 1]}`);
      const lower = at.slice(1, i + 1).map((x, j) => `${x} ${low[j + 1]}`).reverse();
      band.setAttribute("d", upper.length ? `M${[...upper, ...lower].join("L")}Z` : "");
      line.setAttribute("d", `M${at.slice(0, i + 1).map((x, j) => `${x} ${middle[j]}`).join("L")}`);
    };
  });
  inside.append(flat);
  return (i) => parts.forEach((part) => part(i));
}

const cross3 = (x, y) => `M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6`;
