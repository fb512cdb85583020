// Plays a story frame by frame, in the browser: everything comes with the data once, and playing asks
// the server nothing. A page adds its own pictures after this text, as SHOW:
//   look(data): style of its marks    layout(width): {boxes, height}    parts: draw what stays, and
//   return what draws one frame     words(data, frame): what is said   key(data): [kind, name, box?]
//   file(data, frame): name of a saved picture
// The data has id, title, about (words for a screen reader) and frames (how many).

const PLACES = new Map(); // story -> frame, for as long as the browser's page lives
const CHOICES = { speed: 10 };
const LOOK = `
text { font: 13px var(--font); fill: var(--ink); }
.title { font-weight: 600; }
.halo { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: var(--grid); }
.axis { stroke: var(--base); }
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
    this.frames = data.frames;
    this.frame = Math.min(PLACES.get(data.id) ?? Infinity, this.frames - 1);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.leaving = new AbortController();
    this.find(".stage").setAttribute("aria-label", data.about);
    root.setAttribute("aria-label", `Player of ${data.title}`);
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
    jump.addEventListener("input", () => { this.go(Number(jump.value)); this.pause(); }, on);
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
    else { this.go(steps[what]); this.pause(); }
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
    const words = SHOW.words(data, frame);
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

  draw() {
    const stage = this.find(".stage");
    const width = Math.floor(stage.clientWidth);
    if (width < 50) return;
    const svg = make("svg", { role: "img", "aria-label": this.data.about });
    svg.append(Object.assign(make("style"), { textContent: LOOK + SHOW.look(this.data) }));
    const { boxes, height } = SHOW.layout(width, this.data);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.style.setProperty("--font", "var(--st-font)");
    const parts = SHOW.parts.map((part, i) => part(svg, boxes[i], this.data));
    this.update = () => parts.forEach((part) => part(this.frame));
    this.update();
    stage.replaceChildren(svg);
    this.find(".key").replaceChildren(...key(SHOW.key(this.data), SHOW.look(this.data)));
  }

  // Files

  save(kind) {
    const svg = this.find(".stage svg").cloneNode(true);
    const style = getComputedStyle(this.root);
    const value = (name) => name === "font" ? "Arial, sans-serif" : style.getPropertyValue(`--${name}`).trim();
    svg.removeAttribute("style");
    svg.querySelector("style").textContent = (LOOK + SHOW.look(this.data)).replace(/var\(--(\w+)\)/g, (_, name) => value(name));
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.setAttribute("width", width);
    svg.prepend(make("rect", { width, height, fill: value("paper") }));
    const blob = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
    const name = SHOW.file(this.data, this.frame);
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

// Axes

function panel(svg, [left0, top0, width0, height0], { title, x, y, xName, yName, below = 0 }) {
  const top = top0 + 30, height = height0 - 78 - below;
  const ups = y.ticks(Math.max(3, Math.floor(height / 45))).map((tick) => [tick, axisNumber(tick)]);
  // Room for the longest number, and for the name beside it.
  const longest = Math.max(0, ...ups.map(([, words]) => words.length));
  const left = left0 + Math.max(52, Math.ceil(7.5 * longest) + (yName ? 26 : 10));
  const width = left0 + width0 - 12 - left;
  const group = svg.appendChild(make("g"));
  const text = (words, tx, ty, kind = "") => {
    const node = group.appendChild(make("text", { x: tx, y: ty, class: kind }));
    node.textContent = words;
    return node;
  };
  text(title, left0 + 4, top0 + 16, "title");
  const X = Object.assign((v) => left + width * x.at(v));
  const Y = Object.assign((v) => top + height * (1 - y.at(v)), { top, bottom: top + height, left });
  for (const [tick, words] of ups) {
    group.append(make("line", { class: "grid", x1: left, x2: left + width, y1: Y(tick), y2: Y(tick) }));
    text(words, left - 6, Y(tick) + 4, "end");
  }
  for (const tick of x.ticks(Math.max(4, Math.floor(width / 80)))) {
    group.append(make("line", { class: "grid", x1: X(tick), x2: X(tick), y1: top, y2: top + height }));
    text(axisNumber(tick), X(tick), top + height + 17 + below, "middle");
  }
  group.append(make("line", { class: "axis", x1: left, x2: left + width, y1: top + height, y2: top + height }));
  text(xName, left + width / 2, top + height + 36 + below, "middle");
  if (yName) {
    const node = text(yName, 0, 0, "middle");
    node.setAttribute("transform", `translate(${left0 + 12} ${top + height / 2}) rotate(-90)`);
  }
  const id = `clip-${Math.round(left0)}-${Math.round(top0)}`;
  const clip = group.appendChild(make("clipPath", { id }));
  // A little room at both sides, so that no mark at an end is cut in half.
  clip.append(make("rect", { x: left - 6, y: top - 2, width: width + 12, height: height + 4 + below }));
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

function key(words, look) {
  return words.map(([kind, name, box]) => {
    const item = document.createElement("li");
    const sample = make("svg", { width: 26, height: 14, viewBox: "0 0 26 14" });
    sample.append(Object.assign(make("style"), { textContent: LOOK + look }));
    sample.append(box
      ? make("rect", { class: kind, x: 2, y: 2, width: 22, height: 12 })
      : make("line", { class: kind, x1: 1, x2: 25, y1: 7, y2: 7 }));
    item.append(sample, name);
    return item;
  });
}

function scientific(value, digits = 3) {
  const [mantissa, power] = Math.abs(value).toExponential(digits - 1).split("e");
  const raised = String(Number(power)).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
  return `${value < 0 ? "−" : ""}${Number(mantissa)} × 10${raised}`;
}

function number(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value), sign = value < 0 ? "−" : "";
  if (size < 1e-4 || size >= 1e9) return scientific(value, digits);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-9));
  const text = size.toLocaleString("en-US", { maximumFractionDigits: decimals });
  return sign + text;
}

// On an axis a large number has a power of ten, and a power of ten no factor.
function axisNumber(value) {
  const size = Math.abs(value);
  return (size >= 1e6 ? scientific(value) : number(value)).replace(/^(−?)1 × /, "$1");
}

const count = (value) => value.toLocaleString("en-US");
const percent = (value) => (value > 0 && value < 1e-9 ? "less than 10⁻⁹ %" : `${number(value)} %`);

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
