// A student's page. It takes the answer, draws the noise and sends the noisy answer alone. Nothing
// that is typed or chosen gets into a store, an address or a message; until it is forgotten it stands
// on the page, also in the words of the picture for who cannot see it.

const SETTLE_MS = 300; // Until two tabs in which was pressed at once agree on what is kept.
const ENTRIES = new Map(); // question -> entry, over a remount: true answers live here and nowhere else

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".phone");
  root.phone ??= new Phone(root);
  root.phone.take(data, setTriggerValue);
  return () => root.phone?.leave();
}

class Phone {
  constructor(root) {
    this.root = root;
    this.notice = "";
    this.outbox = new Outbox(() => this.answer, () => this.render());
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  // The server's word: at the first call, and at every later run, mostly the same once more.
  take(data, tell) {
    const before = this.data;
    this.data = data;
    if (this.kept?.key !== KEY + data.room) this.kept = new Kept(data.room);
    this.kept.prolong(data.ends);
    this.outbox.hear(data.receipt, data.open && before && !before.open);
    this.outbox.open(tell);
    if (!this.leaving) this.listen();
    this.choose(data.question);
    this.render();
    this.outbox.sendSoon();
  }

  listen() {
    this.leaving = new AbortController();
    const on = { signal: this.leaving.signal };
    const does = { send: () => this.send(), forget: () => this.forget(), rehearse: () => this.rehearse() };
    for (const button of this.root.querySelectorAll("[data-do]"))
      button.addEventListener("click", does[button.dataset.do], on);
    const typed = this.find("#typed");
    typed.addEventListener("input", () => this.enter({ typed: typed.value }), on);
    typed.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // or the same stroke would press the button
      this.find(".main").focus();
    }, on);
    // Another tab of this browser answered.
    window.addEventListener("storage", () => { this.render(); this.outbox.sendSoon(); }, on);
    this.sizes = new ResizeObserver(() => this.renderPicture());
    this.sizes.observe(this.root);
  }

  leave() {
    this.leaving?.abort();
    this.sizes?.disconnect();
    this.outbox.close();
    this.leaving = null;
  }

  // The question at hand

  choose(question) {
    // One that was answered stays on the page when it is over.
    if (!question && this.question && this.kept.answer(this.question.id)) return;
    if (question?.id !== this.question?.id) this.discardOthers(question?.id);
    const isNew = JSON.stringify(question) !== JSON.stringify(this.question);
    this.question = question;
    if (!question || !isNew) return;
    if (!ENTRIES.has(question.id)) ENTRIES.set(question.id, emptyEntry());
    this.entry = ENTRIES.get(question.id);
    this.subject = question.kind === "number" ? new NumberSubject(question) : new CategorySubject(question);
    this.build();
  }

  // What was entered for another question goes; where it was not sent, the page says so.
  discardOthers(current) {
    this.notice = "";
    for (const [id, entry] of ENTRIES) {
      if (id === current) continue;
      if (entry.truth === null && hasEntry(entry)) this.notice = DISCARDED;
      ENTRIES.delete(id);
    }
    this.find("#typed").value = "";
  }

  build() {
    const { question } = this;
    const isNumber = question.kind === "number";
    this.find(".number").hidden = !isNumber;
    this.find(".choices").hidden = isNumber;
    this.find(".choices").replaceChildren(this.find(".choices legend"));
    if (isNumber) {
      this.find(".bounds").textContent = beforehandWords(question);
      this.find(".unit").textContent = question.unit ?? "";
      this.find("#typed").value = this.entry.typed;
    } else this.find(".choices").append(...this.radios());
  }

  radios() {
    return this.question.categories.map((category, place) => {
      const label = element("label", ""), radio = document.createElement("input");
      // Radios are a group by their name alone; it says nothing of what is chosen.
      Object.assign(radio, { type: "radio", name: "choice", autocomplete: "off", checked: this.entry.choice === place });
      radio.addEventListener("change", () => this.enter({ choice: place }));
      label.append(radio, element("span", "", category));
      return label;
    });
  }

  // What the student does

  enter(what) {
    Object.assign(this.entry, what);
    this.notice = "";
    this.render();
  }

  send() {
    // A second tab may have sent one a moment ago.
    if (this.answer || this.mode() !== "ask") return this.render();
    const truth = this.subject.read(this.entry);
    if (truth === null) return this.complain();
    const drawn = this.draw(truth);
    if (drawn === null) return;
    this.kept.put(this.question.id, { ticket: newTicket(), value: drawn, spent: this.question.epsilon });
    Object.assign(this.entry, { truth, typed: "", choice: null });
    this.find("#typed").value = "";
    this.render();
    this.find(".released").focus();
    // Another tab may have kept one in the same moment: what is sent is what both then find.
    this.outbox.sendAfter(SETTLE_MS);
  }

  draw(truth) {
    try {
      return this.subject.draw(truth);
    } catch {
      this.find(".note").textContent = BROKEN;
      return null;
    }
  }

  complain() {
    const isNumber = this.question.kind === "number";
    const note = isNumber && noteOf(this.entry.typed, this.question, null);
    this.find(".note").textContent = note || (isNumber ? "Please type your answer first." : "Please choose your answer first.");
    this.find(isNumber ? "#typed" : ".choices input").focus();
  }

  rehearse() {
    const drawn = this.draw(this.entry.truth);
    if (drawn === null) return;
    this.entry.rehearsals.push(drawn);
    this.renderPicture();
    this.renderRehearsals();
  }

  forget() {
    Object.assign(this.entry, emptyEntry());
    this.subject.forget();
    this.render();
    this.find(".released").focus();
  }

  // What is to be seen

  get answer() {
    const kept = this.question && this.kept.answer(this.question.id);
    return kept ? { question: this.question.id, ...kept } : null;
  }

  mode() {
    if (this.answer) return "left";
    return this.question && this.data.open ? "ask" : "closed";
  }

  render() {
    const mode = this.mode(), { entry } = this;
    if (mode !== "ask" && entry && entry.truth === null && hasEntry(entry)) {
      this.notice = mode === "closed" ? DISCARDED : ELSEWHERE;
      Object.assign(entry, emptyEntry());
      this.find("#typed").value = "";
      for (const radio of this.root.querySelectorAll(".choices input")) radio.checked = false;
    }
    this.root.dataset.mode = mode;
    this.find(".question").textContent = this.question?.text ?? "";
    this.find(".question").hidden = !this.question;
    this.find(".promise").hidden = !this.question;
    const closed = !this.data.open || !this.data.question ? this.data.closed : "";
    say(this.find(".closed"), [closed, this.notice].filter(Boolean).join(" "));
    for (const part of [".ask", ".asked"]) this.find(part).hidden = mode !== "ask";
    this.find(".left").hidden = mode !== "left";
    if (mode === "ask") this.renderEntry();
    else this.renderLeft();
  }

  renderEntry() {
    say(this.find(".note"), this.subject.note(this.entry));
    this.find(".unkept").hidden = this.kept.lasts;
    say(this.find(".spent"), spentWords(this.question, this.kept.spent(this.question.id)));
    this.find(".again").hidden = true;
    this.renderPicture();
  }

  renderLeft() {
    const { answer, entry } = this, truth = entry?.truth ?? null;
    if (answer) {
      this.find(".released strong").textContent = released(answer.value, this.question);
      this.find(".own").hidden = truth === null;
      this.find(".own strong").textContent = truth === null ? "" : this.subject.shown(truth);
      this.find(".gone").hidden = truth !== null;
      const { state, words } = this.outbox.state();
      this.find(".state").dataset.state = state;
      say(this.find(".state"), words);
    }
    this.find(".again").hidden = truth === null;
    this.renderPicture();
    this.renderRehearsals();
  }

  renderRehearsals() {
    say(this.find(".rehearsed"), this.entry ? this.subject.rehearsed(this.entry.rehearsals) : "");
  }

  renderPicture() {
    const figure = this.find(".picture"), width = Math.floor(this.root.clientWidth);
    const mode = this.mode();
    const own = mode === "closed" ? null : mode === "left" ? this.entry.truth : this.subject.read(this.entry);
    figure.hidden = own === null || width < 100;
    if (figure.hidden) {
      this.find(".stage").replaceChildren();
      this.find("figcaption").textContent = "";
      return;
    }
    const drawn = { sent: mode === "left" ? this.answer.value : null, rehearsals: this.entry.rehearsals };
    this.find(".stage").replaceChildren(this.subject.picture(own, drawn, width));
    say(this.find("figcaption"), this.subject.caption(own));
  }
}

const emptyEntry = () => ({ typed: "", choice: null, truth: null, rehearsals: [] });
const hasEntry = (entry) => entry.typed !== "" || entry.choice !== null;

const newTicket = () => [systemWords(), systemWords()].map((word) => word.toString(16).padStart(16, "0")).join("");

// Written anew, the same words would be read out anew.
function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}
