// Decimal texts as whole numbers: {digits, places} stands for digits / 10^places. Never a float.

const MOST_BEFORE = 15, MOST_AFTER = 12; // Digits before and after the mark.
const WRITTEN = new RegExp(`^([+-]?)(\\d{0,${MOST_BEFORE}})(?:[.,](\\d{0,${MOST_AFTER}}))?$`);
const SPELLED = { "−": "-", "–": "-", "﹣": "-", "－": "-", "＋": "+", "٫": ".", "．": ".", "，": "," };

// null where the text is no decimal.
function readDecimal(text) {
  const found = WRITTEN.exec(plainDigits(text.replace(/\p{Cf}/gu, "").trim()) ?? "no number");
  if (!found) return null;
  const [, sign, before, after = ""] = found;
  if (before + after === "") return null;
  const size = BigInt(before + after);
  return { digits: sign === "-" ? -size : size, places: after.length };
}

// ASCII for the digits of any one script; null where two scripts are mixed.
function plainDigits(text) {
  let script = null, plain = "";
  for (const letter of text) {
    const digit = /\p{Nd}/u.test(letter) ? digitOf(letter) : null;
    if (digit) {
      script ??= digit.zero;
      if (script !== digit.zero) return null;
    }
    plain += digit ? digit.value : SPELLED[letter] ?? letter;
  }
  return plain;
}

// Digits of a script are ten neighbours, and where scripts are neighbours, each begins ten later.
function digitOf(letter) {
  const code = letter.codePointAt(0);
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1;
  const value = (code - start) % 10;
  return { zero: code - value, value };
}

function isLess(one, other) {
  return one.digits * 10n ** BigInt(other.places) < other.digits * 10n ** BigInt(one.places);
}

function clamped(value, low, high) {
  return isLess(value, low) ? low : isLess(high, value) ? high : value;
}

// `whole` · 10^exponent, with all its decimals and no more. Zero has no sign.
function writeDecimal(whole, exponent) {
  if (exponent >= 0) return String(whole * 10n ** BigInt(exponent));
  const sign = whole < 0n ? "-" : "";
  const digits = String(whole < 0n ? -whole : whole).padStart(1 - exponent, "0");
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

// Without zeros that say nothing: 18.50 is 18.5.
function shortest({ digits, places }) {
  const text = writeDecimal(digits, -places);
  return places ? text.replace(/\.?0+$/, "") : text;
}

function sumOfDecimals(texts) {
  const values = texts.map(readDecimal);
  const places = Math.max(0, ...values.map((value) => value.places));
  const digits = values.map((value) => value.digits * 10n ** BigInt(places - value.places));
  return shortest({ digits: digits.reduce((sum, each) => sum + each, 0n), places });
}

const asNumber = ({ digits, places }) => Number(writeDecimal(digits, -places));
