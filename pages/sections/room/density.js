// Which outputs are how likely, for the picture alone: floats do here, where nothing is drawn at random.

// Steps [from, to, height] in units of the data, with their mean and their high part.
function densityOf(lattice, value) {
  const spacing = 10 ** lattice.exponent, steps = stepsOf(lattice, value);
  const at = (index) => (Number(lattice.first) + index) * spacing;
  const mean = steps.reduce((all, [from, to, share]) => all + (to - from) * share * (from + to - 1) / 2, 0);
  return {
    // A point's share fills the cell around it.
    steps: steps.map(([from, to, share]) => [at(from - 0.5), at(to - 0.5), share]),
    mean: at(mean),
    block: blockOf(steps, at),
    whole: [at(0), at(Number(lattice.points) - 1)],
  };
}

// [from, to, share of each point] of neighbouring points that are as likely.
function stepsOf(lattice, value) {
  const { over, under } = exactShift(lattice, value);
  const low = Number(over / under), up = ratio(over % under, under);
  const changes = new Map();
  const add = (start, length, share) => {
    changes.set(start, (changes.get(start) ?? 0) + share);
    changes.set(start + length, (changes.get(start + length) ?? 0) - share);
  };
  lattice.lengths.forEach((length, run) => {
    const start = Number(lattice.starts[run]), share = ratio(lattice.weights[run], lattice.total);
    if (run < lattice.baseRuns) return add(start, Number(length), share);
    add(start + low, Number(length), share * (1 - up));
    if (up > 0) add(start + low + 1, Number(length), share * up);
  });
  const cuts = [...changes.keys()].sort((a, b) => a - b);
  let share = 0;
  return cuts.slice(0, -1).map((from, i) => [from, cuts[i + 1], (share += changes.get(from))]);
}

// Where the curve is at least half as high as at its highest, and the share of all draws in there.
function blockOf(steps, at) {
  const half = Math.max(...steps.map(([, , share]) => share)) / 2;
  const high = steps.filter(([, , share]) => share >= half);
  const mass = high.reduce((all, [from, to, share]) => all + (to - from) * share, 0);
  return { from: at(high[0][0]), to: at(high.at(-1)[1] - 1), mass };
}

// BigInts whose quotient is a float, however large they are.
const ratio = (over, under) => Number((over << 100n) / under) / 2 ** 100;

// Probability of each category for a true one.
function sharesOf(response, place, count) {
  const share = (weight) => ratio(BigInt(weight), BigInt(response.total));
  return Array.from({ length: count }, (_, i) => share(i === place ? response.kept : response.each_other));
}
