// The draw itself, in whole numbers from beginning to end. Same words in the same order, same output
// as the library: compdp_core/mechanisms/lattice/sampler.py and categories.py. `words()` gives a
// BigInt of 64 uniform bits; nothing here knows the page or the network.

const ROUNDS = 256; // More rejections than this do not happen: the source of words is broken then.
const LEADING_BITS = 62; // Of the number that picks a run; the rest is drawn only where it matters.
const SHIFT_BITS = 53n; // Of the number that rounds the shift.

const systemWords = () => crypto.getRandomValues(new BigUint64Array(1))[0];

// The lattice as Python hands it over, with the sums that every draw needs.
function openLattice({ first, exponent, base, activation }) {
  const inner = mirrored(base), outer = mirrored(activation);
  const lengths = [...inner.lengths, ...outer.lengths], weights = [...inner.weights, ...outer.weights];
  const boundaries = [0n]; // Mass before each run, and the sum of all.
  lengths.forEach((length, run) => boundaries.push(boundaries[run] + length * weights[run]));
  const total = boundaries.at(-1), points = sum(inner.lengths);
  const tailBits = Math.max(0, bitLength(total) - LEADING_BITS);
  return {
    first: BigInt(first), exponent, lengths, weights, boundaries, total, points, tailBits,
    starts: [...startsOf(inner.lengths), ...startsOf(outer.lengths)],
    baseRuns: inner.lengths.length,
    mass: total - boundaries[inner.lengths.length],
    span: points - sum(outer.lengths),
    leadingBits: bitLength(total) - tailBits,
    leading: boundaries.map((boundary) => boundary >> BigInt(tailBits)),
  };
}

// Of symmetric runs the first half comes, with the one in the middle.
function mirrored({ lengths, weights }) {
  const both = (half) => [...half, ...half.slice(0, -1).reverse()].map(BigInt);
  return { lengths: both(lengths), weights: both(weights) };
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0n);
const bitLength = (number) => number.toString(2).length;

function startsOf(lengths) {
  let end = 0n;
  return lengths.map((length) => (end += length) - length);
}

// The output for a value (see decimal.js) within the inputs, as its decimal text.
function drawNumber(lattice, value, words) {
  const shift = drawShift(lattice, value, words);
  const run = drawRun(lattice, words);
  const place = lattice.starts[run] + drawBelow(lattice.lengths[run], words);
  const index = run < lattice.baseRuns ? place : place + shift;
  return writeDecimal(lattice.first + index, lattice.exponent);
}

// The real shift whose mean is the value, as a fraction over / under between 0 and the span.
function exactShift({ first, exponent, points, mass, total, span }, { digits, places }) {
  const power = -exponent - places; // The value is digits · 10^power spacings.
  const spacings = power < 0 ? digits : digits * 10n ** BigInt(power);
  const parts = power < 0 ? 10n ** BigInt(-power) : 1n;
  const twiceOffset = 2n * spacings - parts * (2n * first + points - 1n);
  const under = 2n * parts * mass;
  const over = twiceOffset * total + span * parts * mass;
  return { over: over < 0n ? 0n : over > span * under ? span * under : over, under };
}

function drawShift(lattice, value, words) {
  const { over, under } = exactShift(lattice, value);
  return over / under + (isBelow(over % under, under, words) ? 1n : 0n);
}

// True with probability over / under exactly: where the bits drawn are the fraction's own, the bits
// that follow decide.
function isBelow(over, under, words) {
  let bits = SHIFT_BITS;
  for (let round = 0; round < ROUNDS; round += 1) {
    const drawn = words() >> (64n - bits), scaled = over << bits, limit = scaled / under;
    if (drawn !== limit) return drawn < limit;
    over = scaled % under;
    if (over === 0n) return false;
    bits = 64n;
  }
  throw brokenSource();
}

// A run by its mass; numbers beyond the sum of all are drawn again.
function drawRun(lattice, words) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = findRun(lattice, words);
    if (run < lattice.lengths.length) return run;
  }
  throw brokenSource();
}

function findRun({ boundaries, leading, leadingBits, tailBits }, words) {
  const number = words() >> BigInt(64 - leadingBits), run = lastAtMost(leading, number);
  if (!tailBits || number !== leading[run]) return run;
  // A boundary with the same leading bits: only the rest of the number tells.
  const count = Math.ceil(tailBits / 64);
  let tail = 0n;
  for (let i = 0; i < count; i += 1) tail = (tail << 64n) | words();
  tail >>= BigInt(64 * count - tailBits);
  return lastAtMost(boundaries, (number << BigInt(tailBits)) | tail);
}

// The place of the last of the rising numbers that is not above `number`.
function lastAtMost(rising, number) {
  let low = 0, high = rising.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rising[middle] <= number) low = middle;
    else high = middle;
  }
  return low;
}

// From 0 below the bound, all as likely: words in the last, incomplete round are drawn again.
function drawBelow(bound, words) {
  const largestFair = (2n ** 64n / bound) * bound - 1n;
  for (let round = 0; round < ROUNDS; round += 1) {
    const word = words();
    if (word <= largestFair) return word % bound;
  }
  throw brokenSource();
}

// The place of a category: of `total` equally likely numbers the first kept - each_other keep it.
function drawCategory(response, place, words) {
  const [kept, other, total] = [response.kept, response.each_other, response.total].map(BigInt);
  const number = drawBelow(total, words) - (kept - other);
  return number < 0n ? place : Number(number / other);
}

const brokenSource = () => new Error("the source of random words keeps repeating itself");
