// One search: the density of the best point so far, its variance, and its k, m and y.

CHOICES.scale = "delta";

const SHOW = {
  look: (data) => `
.base { fill: var(--base); fill-opacity: 0.3; stroke: var(--base); stroke-width: 1.5; stroke-dasharray: 2 3; }
.density { fill: var(--released); fill-opacity: 0.35; stroke: var(--released); stroke-width: 2.5; }
.optimum { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 4; }
.edge { stroke: var(--released); stroke-width: 1.5; stroke-dasharray: 6 4; }
.inputs { stroke: var(--true); stroke-width: 5; }
.input { fill: var(--true); }
.todo { fill: none; stroke: var(--base); stroke-opacity: 0.55; stroke-width: 1.5; }
.run { fill: none; stroke: ${data.colour}; stroke-width: 2.5; }
.k { stroke-dasharray: none; } .m { stroke-dasharray: 8 4; } .y { stroke-dasharray: 2 3; }
.looked { fill: ${data.colour}; fill-opacity: 0.35; }
.now { fill: var(--paper); stroke: ${data.colour}; stroke-width: 2.5; }
`,

  layout(width) {
    const left = Math.round(width * 0.56), right = [left + 16, width - left - 16];
    return width >= 760
      ? { boxes: [[0, 0, left, 400], [right[0], 0, right[1], 196], [right[0], 204, right[1], 196]], height: 400 }
      : { boxes: [[0, 0, width, 290], [0, 300, width, 190], [0, 500, width, 190]], height: 690 };
  },

  parts: [density, variance, path],

  words(data, i) {
    const best = data.best[i] === null
      ? "nothing feasible yet"
      : `least variance so far ${number(data.best[i], 4)} Δ², ${percent(Math.max(data.excess[i], 1e-10))} above the optimum`;
    const at = data.best[i] === null
      ? "" : `at k ${number(data.k[i])}, m ${number(data.m[i])}, y ${number(data.y[i])}`;
    return [
      `point ${count(data.look[i])} of ${count(data.points)}`, best, at,
      data.broken[i] ? `this point breaks ${data.broken[i]}` : "this point keeps every constraint",
      `${percent(data.share[i])} of the points so far feasible`,
      i === data.look.length - 1 ? `stopped: ${data.stop}` : "",
    ].filter(Boolean);
  },

  key: () => [
    ["density", "activation: follows the input", true], ["base", "base: the same for every input", true],
    ["optimum", "exact optimum"], ["edge", "end of the outputs"], ["inputs", "input interval"],
  ],

  file: (data, i) => `search-${data.number}-point-${data.look[i]}`,
};

function density(svg, box, data) {
  const domain = CHOICES.scale === "domain";
  const span = domain ? data.reach.domain : data.reach.delta;
  const unit = domain ? "domain unit" : "Δ";
  const frame = panel(svg, box, {
    title: "Density of the best point so far",
    x: linear(-span, span), y: linear(0, domain ? data.peak.domain : data.peak.delta),
    xName: `output (${unit})`, yName: `density (1/${unit})`, below: 16,
  });
  const { X, Y, inside } = frame;
  const by = (curve) => (domain ? curve.unit : 1);
  const line = (curve, heights, close) => {
    const scale = by(curve);
    const points = curve.x.map((x, i) => `${X(x * scale).toFixed(1)} ${Y(heights[i] / scale).toFixed(1)}`);
    if (!close) return `M${points.join("L")}`;
    const [first, last] = [curve.x[0], curve.x.at(-1)].map((x) => X(x * scale).toFixed(1));
    return `M${first} ${Y(0)}L${points.join("L")}L${last} ${Y(0)}Z`;
  };
  const whole = inside.appendChild(make("path", { class: "density" }));
  const base = inside.appendChild(make("path", { class: "base" }));
  frame.inside.parentNode.append(make("path", {
    class: "optimum", d: line(data.optimum, data.optimum.density), "clip-path": inside.getAttribute("clip-path"),
  }));
  const edges = [0, 1].map(() => inside.appendChild(make("line", { class: "edge", y1: Y.top, y2: Y(0) })));
  const inputs = inside.appendChild(make("line", { class: "inputs", y1: Y(0) + 8, y2: Y(0) + 8 }));
  const input = inside.appendChild(make("path", { class: "input" }));
  // Beside the title, where no line of the picture runs.
  const note = frame.text("", Y.left + frame.width, Y.top - 14, "end");
  const none = frame.text("", Y.left + frame.width / 2, Y.top + 14, "middle");
  return (i) => {
    const curve = data.curves[data.design[i]];
    inside.style.display = curve ? "" : "none";
    none.textContent = curve ? "" : "no feasible point yet";
    note.textContent = "";
    if (!curve) return;
    const scale = by(curve);
    whole.setAttribute("d", line(curve, curve.density, true));
    base.setAttribute("d", line(curve, curve.base, true));
    edges.forEach((edge, side) => {
      const x = X((side ? 1 : -1) * curve.half * scale);
      edge.setAttribute("x1", x);
      edge.setAttribute("x2", x);
    });
    inputs.setAttribute("x1", X(-0.5 * scale));
    inputs.setAttribute("x2", X(0.5 * scale));
    const at = X(curve.input * scale), down = Y(0) + 8;
    input.setAttribute("d", `M${at - 8} ${down}L${at} ${down - 8}L${at + 8} ${down}L${at} ${down + 8}Z`);
    note.textContent = `outputs reach ±${number(curve.half * scale)} ${domain ? "" : "Δ"}`.trim();
  };
}

function variance(svg, box, data) {
  const known = data.best.filter((v) => v !== null);
  // The first few may leave the picture, the last may not, however far above the optimum it is.
  const top = Math.max(Math.min(Math.max(...known, data.floor * 1.02), data.floor * 1e4), 2 * (known.at(-1) ?? 0));
  const low = data.floor * (data.floor / top) ** 0.08;
  const frame = panel(svg, box, {
    title: "Least variance so far (Δ²)", x: log(1, Math.max(data.points, 2)), y: log(low, top * (top / low) ** 0.08),
    xName: "points looked at", yName: "",
  });
  const { X, Y, inside } = frame;
  inside.append(make("line", { class: "optimum", x1: X(1), x2: X(data.points), y1: Y(data.floor), y2: Y(data.floor) }));
  const dots = data.variance.map((v, i) => v === null ? "" : circle(X(data.look[i]), Y(v), 2)).join("");
  inside.append(make("path", { class: "looked", d: dots }));
  inside.append(make("path", { class: "todo", d: stairs(data.look, data.best, X, Y) }));
  const run = inside.appendChild(make("path", { class: "run" }));
  const cursor = inside.appendChild(make("line", { class: "cursor", y1: Y.top, y2: Y.bottom }));
  const now = inside.appendChild(make("path", { class: "now" }));
  return (i) => {
    run.setAttribute("d", stairs(data.look.slice(0, i + 1), data.best.slice(0, i + 1), X, Y));
    const x = X(data.look[i]);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    now.setAttribute("d", data.variance[i] === null ? cross(x, Y.top + 8) : circle(x, Y(data.variance[i]), 5));
  };
}

function path(svg, box, data) {
  const all = ["k", "m", "y"].flatMap((name) => data[name]).filter((v) => v !== null);
  const frame = panel(svg, box, {
    title: "k, m and y of the best point so far", x: log(1, Math.max(data.points, 2)),
    y: linear(0, Math.max(...all, 0.1) * 1.08), xName: "points looked at", yName: "",
  });
  const { X, Y, inside } = frame;
  const parts = ["k", "m", "y"].map((name) => {
    inside.append(make("path", { class: `todo ${name}`, d: stairs(data.look, data[name], X, Y) }));
    return [name, inside.appendChild(make("path", { class: `run ${name}` })), frame.text(name, 0, 0, "title halo")];
  });
  const cursor = inside.appendChild(make("line", { class: "cursor", y1: Y.top, y2: Y.bottom }));
  return (i) => {
    const x = X(data.look[i]);
    for (const [name, run, label] of parts) {
      run.setAttribute("d", stairs(data.look.slice(0, i + 1), data[name].slice(0, i + 1), X, Y));
      const near = x > frame.left + frame.width - 24;
      label.textContent = data[name][i] === null ? "" : name;
      label.setAttribute("x", near ? x - 14 : x + 6);
      label.setAttribute("y", Math.max(Y(data[name][i] ?? 0) - 5, Y.top + 12));
    }
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  };
}
