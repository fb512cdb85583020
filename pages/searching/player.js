// Plays a search back: the density of the best point so far, its variance and its k, m and y.
// Everything comes with the data once; playing asks the server nothing.

const PLACES = new Map(); // run -> frame, for as long as the browser's page lives
const CHOICES = { speed: 10, scale: "delta" };
const LOOK = `
text { font: 13px var(--font); fill: var(--ink); }
.title { font-weight: 600; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: var(--grid); }
.axis { stroke: var(--base); }
.base { fill: var(--base); fill-opacity: 0.3; stroke: var(--base); stroke-width: 1.5; stroke-dasharray: 2 3; }
.density { fill: var(--released); fill-opacity: 0.35; stroke: var(--released); stroke-width: 2.5; }
.optimum { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 4; }
.edge { stroke: var(--released); stroke-width: 1.5; stroke-dasharray: 6 4; }
.inputs { stroke: var(--true); stroke-width: 5; }
.input { fill: var(--true); }
.todo { fill: none; stroke: var(--base); stroke-opacity: 0.55; stroke-width: 1.5; }
.run { fill: none; stroke: var(--run); stroke-width: 2.5; }
.k { stroke-dasharray: none; } .m { stroke-dasharray: 8 4; } .y { stroke-dasharray: 2 3; }
.looked { fill: var(--run); fill-opacity: 0.35; }
.now { fill: var(--paper); stroke: var(--run); stroke-width: 2.5; }
.cursor { stroke: var(--ink); stroke-opacity: 0.5; }
`;

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".player");
  root.player?.leave();
  root.player = new Player(root, data);
  return () => root.player.leave();
}

class Player {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.frames = data.look.length;
    this.frame = Math.min(PLACES.get(data.id) ?? 0, this.frames - 1);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.leaving = new AbortController();
    this.find(".stage").setAttribute("aria-label", data.about);
    root.setAttribute("aria-label", `Player of run ${data.title}`);
    root.style.setProperty("--run", data.colour);
    this.find(".jump input").max = this.frames - 1;
    this.listen();
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.find(".stage"));
    this.say(true);
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  leave() {
    this.leaving.abort();
    this.sizes.disconnect();
    this.playing = false;
  }

  // What the visitor does

  listen() {
    const on = { signal: this.leaving.signal };
    for (const button of this.root.querySelectorAll("[data-do]"))
      button.addEventListener("click", () => this.act(button.dataset.do), on);
    for (const choice of this.root.querySelectorAll("[data-set]")) {
      choice.value = CHOICES[choice.dataset.set];
      choice.addEventListener("change", () => {
        CHOICES[choice.dataset.set] = choice.value;
        this.draw();
      }, on);
    }
    const jump = this.find(".jump input");
    jump.addEventListener("input", () => { this.pause(); this.go(Number(jump.value)); }, on);
    this.find(".stage").addEventListener("keydown", (event) => {
      const does = { " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
      if (!does[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.act(does[event.key]);
    }, on);
    this.calm.addEventListener("change", () => this.say(true), on);
  }

  act(what) {
    const steps = { first: 0, back: this.frame - 1, forward: this.frame + 1, last: this.frames - 1 };
    if (what === "play") this.playing ? this.pause() : this.play();
    else if (what === "svg" || what === "png") this.save(what);
    else { this.pause(); this.go(steps[what]); }
  }

  play() {
    if (this.frame === this.frames - 1) this.go(0);
    this.playing = true;
    this.say(true);
    let due;
    const tick = (now) => {
      if (!this.playing) return;
      // Less motion where the system asks for it: a dozen stills, one a second.
      const pace = this.calm.matches ? 1 : Number(CHOICES.speed);
      const stride = this.calm.matches ? Math.ceil(this.frames / 12) : 1;
      due ??= now + 1000 / pace;
      const passed = Math.floor((now - due) * pace / 1000) + 1;
      if (passed > 0) {
        due += passed * 1000 / pace;
        this.go(this.frame + stride * passed);
        if (this.frame === this.frames - 1) return this.pause();
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.say(true);
  }

  go(frame) {
    this.frame = Math.max(0, Math.min(this.frames - 1, frame));
    PLACES.set(this.data.id, this.frame);
    this.update?.();
    this.say();
  }

  // What is to be seen

  say(state = false) {
    const { data, frame } = this;
    const jump = this.find(".jump input");
    jump.value = frame;
    const words = this.words();
    jump.setAttribute("aria-valuetext", words[0]);
    if (state) {
      const button = this.find(".main");
      button.querySelector("span").textContent = this.playing ? "Pause" : "Play";
      button.querySelector("path").setAttribute("d", this.playing ? "M6 4h4v16H6zM14 4h4v16h-4z" : "M7 4v16l13-8z");
      this.root.dataset.state = this.playing ? "playing" : frame === this.frames - 1 ? "ended" : "paused";
      this.find(".readout").setAttribute("aria-live", this.playing ? "off" : "polite");
      this.find(".hint").textContent = this.calm.matches
        ? "Your system asks for less motion: play shows a dozen stills, one a second."
        : "On the picture: space plays and pauses, the arrow keys step, Home and End jump.";
    }
    this.root.dataset.frame = frame;
    this.find(".readout").textContent = words.join(" · ");
  }

  words() {
    const { data, frame: i } = this;
    const best = data.best[i] === null
      ? "nothing feasible yet"
      : `least variance so far ${number(data.best[i], 4)} Δ², ${percent(Math.max(data.excess[i], 1e-10))} above the optimum`;
    const at = data.best[i] === null
      ? "" : `at k ${number(data.k[i])}, m ${number(data.m[i])}, y ${number(data.y[i])}`;
    const look = data.broken[i] ? `this point breaks ${data.broken[i]}` : "this point keeps every constraint";
    const end = i === this.frames - 1 ? `stopped: ${data.stop}` : "";
    return [
      `point ${count(data.look[i])} of ${count(data.points)}`, best, at, look,
      `${percent(data.share[i])} of the points so far feasible`, end,
    ].filter(Boolean);
  }

  draw() {
    const stage = this.find(".stage");
    const width = Math.floor(stage.clientWidth);
    if (width < 50) return;
    const wide = width >= 760;
    const svg = make("svg", { role: "img", "aria-label": this.data.about });
    svg.append(Object.assign(make("style"), { textContent: LOOK }));
    const left = wide ? Math.round(width * 0.56) : width;
    const boxes = wide
      ? [[0, 0, left, 400], [left + 16, 0, width - left - 16, 196], [left + 16, 204, width - left - 16, 196]]
      : [[0, 0, width, 290], [0, 300, width, 190], [0, 500, width, 190]];
    const height = wide ? 400 : 690;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.style.setProperty("--font", "var(--st-font)");
    const parts = [density, variance, path].map((part, i) => part(svg, boxes[i], this.data));
    this.update = () => parts.forEach((part) => part(this.frame));
    this.update();
    stage.replaceChildren(svg);
    this.find(".key").replaceChildren(...key());
  }

  // Files

  save(kind) {
    const svg = this.find(".stage svg").cloneNode(true);
    const style = getComputedStyle(this.root);
    const value = (name) => name === "font" ? "Arial, sans-serif" : style.getPropertyValue(`--${name}`).trim();
    svg.removeAttribute("style");
    svg.querySelector("style").textContent = LOOK.replace(/var\(--(\w+)\)/g, (_, name) => value(name));
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.setAttribute("width", width);
    svg.prepend(make("rect", { width, height, fill: value("paper") }));
    const blob = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
    const name = `search-${this.data.id}-point-${this.data.look[this.frame]}`;
    if (kind === "svg") return download(blob, `${name}.svg`);
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(image.src);
      canvas.toBlob((png) => download(png, `${name}.png`));
    };
    image.src = URL.createObjectURL(blob);
  }
}

// The three pictures. Each draws what stays, and returns what draws one frame.

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
  const note = frame.text("", Y.left + frame.width - 6, Y.top + 14, "end");
  const none = frame.text("", Y.left + frame.width / 2, Y.top + 60, "middle");
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
  const top = Math.min(Math.max(...known, data.floor * 1.02), data.floor * 1e4);
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
    return [name, inside.appendChild(make("path", { class: `run ${name}` })), frame.text(name, 0, 0, "title")];
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

// Axes

function panel(svg, [left0, top0, width0, height0], { title, x, y, xName, yName, below = 0 }) {
  const left = left0 + 52, top = top0 + 30;
  const width = width0 - 64, height = height0 - 78 - below;
  const group = svg.appendChild(make("g"));
  const text = (words, tx, ty, kind = "") => {
    const node = group.appendChild(make("text", { x: tx, y: ty, class: kind }));
    node.textContent = words;
    return node;
  };
  text(title, left0 + 4, top0 + 16, "title");
  const X = Object.assign((v) => left + width * x.at(v));
  const Y = Object.assign((v) => top + height * (1 - y.at(v)), { top, bottom: top + height, left });
  for (const tick of y.ticks(Math.max(3, Math.floor(height / 45)))) {
    group.append(make("line", { class: "grid", x1: left, x2: left + width, y1: Y(tick), y2: Y(tick) }));
    text(number(tick), left - 6, Y(tick) + 4, "end");
  }
  for (const tick of x.ticks(Math.max(3, Math.floor(width / 80)))) {
    group.append(make("line", { class: "grid", x1: X(tick), x2: X(tick), y1: top, y2: top + height }));
    text(number(tick), X(tick), top + height + 17 + below, "middle");
  }
  group.append(make("line", { class: "axis", x1: left, x2: left + width, y1: top + height, y2: top + height }));
  text(xName, left + width / 2, top + height + 36 + below, "middle");
  if (yName) {
    const node = text(yName, 0, 0, "middle");
    node.setAttribute("transform", `translate(${left0 + 12} ${top + height / 2}) rotate(-90)`);
  }
  const id = `clip-${Math.round(left0)}-${Math.round(top0)}`;
  const clip = group.appendChild(make("clipPath", { id }));
  clip.append(make("rect", { x: left, y: top - 2, width, height: height + 4 + below }));
  const inside = group.appendChild(make("g", { "clip-path": `url(#${id})` }));
  return { X, Y, inside, text, left, width };
}

function linear(low, high) {
  return {
    at: (v) => (v - low) / (high - low),
    ticks: (most) => {
      const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
      const step = power * [1, 2, 5, 10].find((each) => each * power >= rough);
      const ticks = [];
      for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) ticks.push(i * step);
      return ticks;
    },
  };
}

function log(low, high) {
  const scale = linear(Math.log10(low), Math.log10(high));
  return {
    at: (v) => scale.at(Math.log10(Math.max(v, 1e-300))),
    ticks: (most) => {
      // Less than a decade has too few powers of ten: round numbers instead.
      if (high / low < 10) return linear(low, high).ticks(most);
      const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
      const step = Math.ceil((last - first + 1) / most);
      const ticks = [];
      for (let i = first; i <= last; i += step) ticks.push(10 ** i);
      return ticks;
    },
  };
}

// Small parts

function make(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function stairs(x, y, X, Y) {
  let d = "";
  x.forEach((at, i) => {
    if (y[i] === null) return;
    d += d ? `H${X(at).toFixed(1)}V${Y(y[i]).toFixed(1)}` : `M${X(at).toFixed(1)} ${Y(y[i]).toFixed(1)}`;
  });
  return d;
}

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const cross = (x, y) => `M${x - 5} ${y - 5}l10 10M${x + 5} ${y - 5}l-10 10`;

function key() {
  const words = [
    ["density", "activation: follows the input"], ["base", "base: the same for every input"],
    ["optimum", "exact optimum"], ["edge", "end of the outputs"], ["inputs", "input interval"],
  ];
  return words.map(([kind, name]) => {
    const item = document.createElement("li");
    const sample = make("svg", { width: 26, height: 14, viewBox: "0 0 26 14" });
    sample.append(Object.assign(make("style"), { textContent: LOOK }));
    const box = kind === "density" || kind === "base";
    sample.append(box
      ? make("rect", { class: kind, x: 2, y: 2, width: 22, height: 12 })
      : make("line", { class: kind, x1: 1, x2: 25, y1: 7, y2: 7 }));
    item.append(sample, name);
    return item;
  });
}

function number(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value), sign = value < 0 ? "−" : "";
  if (size < 1e-4 || size >= 1e9) {
    const [mantissa, power] = size.toExponential(digits - 1).split("e");
    const raised = String(Number(power)).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    return `${sign}${Number(mantissa)} × 10${raised}`;
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-9));
  const text = size.toLocaleString("en-US", { maximumFractionDigits: decimals });
  return sign + text;
}

const count = (value) => value.toLocaleString("en-US");
const percent = (value) => (value > 0 && value < 1e-9 ? "less than 10⁻⁹ %" : `${number(value)} %`);

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
