// What the page says, of numbers and of categories alike.

const SENDING = "Sending …";
const LOST = "Not sent yet: the connection is lost. It goes out by itself.";
const UNCONFIRMED = "No word from the server yet. It is sent again by itself.";
const RECEIVED = "Received. Look at the wall.";
const DISCARDED = "What you had entered was not sent, and is discarded.";
const ELSEWHERE = "This device has answered already, in another tab. What you had entered here is discarded.";
const BROKEN = "This browser gives no usable random numbers, so nothing was drawn and nothing was sent.";

const signed = (text) => text.replace(/^-/, "−");

// A number for the eye, with as many decimals as the width of all outputs deserves.
function roughly(number, decimals, round = Math.round) {
  const text = (round(number * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
  return signed(/^-[0.]+$/.test(text) ? text.slice(1) : text);
}

function decimalsFor([low, high], most) {
  return Math.max(0, Math.min(most, 2 - Math.floor(Math.log10(high - low))));
}

function withUnit(text, { unit }) {
  return unit ? `${text} ${unit}` : text;
}

function boundsWords(question) {
  return `from ${signed(question.low)} to ${withUnit(signed(question.high), question)}`;
}

// What is said before anything is typed.
function beforehandWords(question) {
  const [first, last] = question.outputs.map(signed);
  return `${boundsWords(question)}; what is sent lies between ${first} and ${last}`;
}

// What to say about a number that was typed; nothing where it needs no word.
function noteOf(typed, question, value, counted) {
  if (typed.trim() === "" || /^\s*[+\-−]?[.,]?\s*$/.test(typed)) return "";
  if (!value) {
    return /\d{13}/u.test(typed)
      ? `A number with so many digits is not taken: at most ${MOST_BEFORE} before the mark and ${MOST_AFTER} after it.`
      : `Only a number, please, such as ${signed(question.high)}.`;
  }
  const [less, more] = [isLess(value, counted), isLess(counted, value)];
  // In some countries it would be a thousand times as much.
  const asRead = /^\s*[+\-−]?\d{1,3}[,٬]\d{3}\s*$/u.test(typed) ? `Read as ${signed(shortest(value))}: a comma is the decimal mark here. ` : "";
  if (!less && !more) return asRead.trim();
  const words = less ? "below" : "above";
  return `${asRead}${signed(shortest(value))} counts as ${signed(shortest(counted))}: it is ${words} the possible answers.`;
}

function likelyWords(question, density) {
  const [first, last] = question.outputs.map(signed), decimals = decimalsFor(density.whole, question.decimals);
  const { from, to, mass } = density.block;
  const [one, two] = [roughly(from, decimals), withUnit(roughly(to, decimals), question)];
  return `What is sent lies between ${first} and ${withUnit(last, question)}, for whatever answer. Yours makes one ` +
    `part likelier, the high one from ${one} to ${two}: ${percent(mass)} of all draws fall there. The mean of all ` +
    "draws, the orange triangle, is your answer.";
}

function pictureWords(question, answer, sent) {
  const [first, last] = question.outputs.map(signed);
  return `How likely each number is to be sent. Axis from ${first} to ${withUnit(last, question)}, ` +
    `possible answers ${boundsWords(question)}. Your answer is ${signed(answer)}, and the mean of all draws, ` +
    `a triangle, lies on it.${sent === null ? "" : ` ${signed(sent)} was sent.`}`;
}

function categoryWords(question, shares, place) {
  const [mine, other] = [percent(shares[place]), percent(shares[place ? 0 : 1])];
  const others = question.categories.length === 2 ? "the other one" : "each of the others";
  return `“${question.categories[place]}” is sent in ${mine} of all draws, ${others} in ${other}.`;
}

function oddsWords(question) {
  return `What is sent hints at your answer, and no more: it moves the odds between any two answers at most ` +
    `${question.odds} times (ε = ${question.epsilon}, the privacy that one answer spends).`;
}

function spentWords(question, spent) {
  if (!spent.length) return oddsWords(question);
  const before = sumOfDecimals(spent), together = sumOfDecimals([...spent, question.epsilon]);
  return `${oddsWords(question)} You have spent ε = ${before} in this room; answering this one adds ` +
    `${question.epsilon}: together ${together}.`;
}

function released(value, question) {
  return question.kind === "category" ? question.categories[Number(value)] : withUnit(signed(value), question);
}

function rehearsedWords(rehearsals, question, mean) {
  const many = rehearsals.length;
  if (!many) return "";
  const last = `Rehearsal ${many}: ${released(rehearsals.at(-1), question)}, not sent.`;
  if (question.kind === "category") {
    const counts = question.categories.map((name, place) => [name, rehearsals.filter((each) => Number(each) === place).length]);
    const words = counts.filter(([, count]) => count).map(([name, count]) => `${name} ${count}`).join(", ");
    return many === 1 ? last : `${last} Of ${many} rehearsals: ${words}.`;
  }
  return many === 1 ? last : `${last} Mean of ${many} rehearsals: ${withUnit(mean, question)}.`;
}
