// The best attacker, from the privacy profile. A guarantee (epsilon, delta) says P(S) <= exp(epsilon) Q(S) + delta for every
// event S, which bounds the true positive rate of every test by a straight line; several guarantees together bound it by the
// least of their lines. So what is drawn is an upper bound at every point, and the exact curve where the lines touch it.

export interface Guarantee {
  epsilon: number;
  /** Of the test "is the record there?", and of its reverse. */
  remove: number;
  add: number;
}

/** Rounding must not lower a bound; a dozen operations in doubles lose far less than this. */
const slack = 1 + 1e-12;

function powerOfOne(guarantees: Guarantee[], falsePositives: number, one: 'remove' | 'add'): number {
  const other = one === 'remove' ? 'add' : 'remove';
  let least = 1;
  for (const guarantee of guarantees) {
    const factor = Math.exp(guarantee.epsilon);
    least = Math.min(
      least,
      (factor * falsePositives + guarantee[one]) * slack,
      1 - (1 - falsePositives - guarantee[other]) / factor / slack,
    );
  }
  return Math.min(1, Math.max(falsePositives, least));
}

/** The largest true positive rate of any test with this false positive rate. */
export const power = (guarantees: Guarantee[], falsePositives: number): number =>
  Math.max(powerOfOne(guarantees, falsePositives, 'remove'), powerOfOne(guarantees, falsePositives, 'add'));

/** False positive rates at which the curve is drawn: dense at both ends, where it bends, and for a logarithmic scale. */
export const falsePositiveRates: number[] = (() => {
  const rates = new Set<number>([0]);
  for (let exponent = -6; exponent < -1; exponent += 0.25) rates.add(10 ** exponent);
  for (let percent = 1; percent <= 99; percent += percent < 10 || percent > 90 ? 0.5 : 1) rates.add(percent / 100);
  for (const rest of [0.005, 0.002, 0.001, 0.0001]) rates.add(1 - rest);
  rates.add(1);
  return [...rates].sort((a, b) => a - b);
})();
