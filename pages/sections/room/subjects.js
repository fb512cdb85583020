// The two kinds of questions: how an answer is read, drawn, shown and pictured.

class NumberSubject {
  constructor(question) {
    this.question = question;
    this.lattice = openLattice(question.lattice);
    [this.low, this.high] = [question.low, question.high].map(readDecimal);
  }

  // The answer as a decimal within the bounds, or null.
  read({ typed }) {
    const value = readDecimal(typed);
    return value && clamped(value, this.low, this.high);
  }

  draw(truth) {
    return drawNumber(this.lattice, truth, systemWords);
  }

  note(entry) {
    return noteOf(entry.typed, this.question, readDecimal(entry.typed), this.read(entry));
  }

  shown(truth) {
    return withUnit(signed(shortest(truth)), this.question);
  }

  density(truth) {
    if (this.drawn?.truth !== shortest(truth))
      this.drawn = { truth: shortest(truth), density: densityOf(this.lattice, truth) };
    return this.drawn.density;
  }

  forget() {
    this.drawn = null;
  }

  picture(truth, { sent, rehearsals }, width) {
    const { question } = this;
    const [low, high, answer] = [this.low, this.high, truth].map(asNumber);
    const [first, last] = question.outputs.map(signed);
    const marks = { low: signed(question.low), high: signed(question.high), answer: signed(shortest(truth)), first, last, sent: sent && signed(sent) };
    return numberPicture({
      density: this.density(truth), low, high, answer, marks, unit: question.unit ? ` (${question.unit})` : "",
      sent: sent === null ? null : Number(sent), rehearsals: rehearsals.map(Number),
      words: pictureWords(question, shortest(truth), sent),
    }, width);
  }

  caption(truth) {
    return likelyWords(this.question, this.density(truth));
  }

  rehearsed(rehearsals) {
    const { decimals, outputs } = this.question;
    const mean = rehearsals.reduce((all, each) => all + Number(each), 0) / rehearsals.length;
    return rehearsedWords(rehearsals, this.question, roughly(mean, decimalsFor(outputs.map(Number), decimals + 1)));
  }
}

class CategorySubject {
  constructor(question) {
    this.question = question;
  }

  read({ choice }) {
    return choice;
  }

  draw(truth) {
    return String(drawCategory(this.question.response, truth, systemWords));
  }

  note() {
    return "";
  }

  forget() {}

  shown(truth) {
    return this.question.categories[truth];
  }

  shares(truth) {
    return sharesOf(this.question.response, truth, this.question.categories.length);
  }

  picture(truth, { sent, rehearsals }) {
    return categoryPicture({
      categories: this.question.categories, shares: this.shares(truth), answer: truth,
      sent: sent === null ? null : Number(sent), rehearsals: rehearsals.map(Number),
    });
  }

  caption(truth) {
    return categoryWords(this.question, this.shares(truth), truth);
  }

  rehearsed(rehearsals) {
    return rehearsedWords(rehearsals, this.question);
  }
}
