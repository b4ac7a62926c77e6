// The beta distribution and what follows from it. The regularised incomplete beta function is computed by its continued
// fraction (Lentz's method), exact to about 14 digits.

const SMALL = 1e-300;
const COEFFICIENTS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
  const x = value - 1;
  const sum = COEFFICIENTS.slice(1).reduce(
    (all, one, index) => all + one / (x + index + 1),
    COEFFICIENTS[0] ?? 1,
  );
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

const notZero = (value: number): number => (Math.abs(value) < SMALL ? SMALL : value);

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}

/** The probability of a value up to `x`; null where the parameters make no distribution. */
export function betaCdf(x: number, a: number, b: number): number | null {
  if (!(a > 0) || !(b > 0) || Number.isNaN(x)) return null;
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b));
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(x, a, b)) / a
    : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The density at `x`. */
export function betaPdf(x: number, a: number, b: number): number | null {
  if (!(a > 0) || !(b > 0) || Number.isNaN(x)) return null;
  if (x < 0 || x > 1) return 0;
  return Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b));
}

/** The value that a share `p` of all values does not exceed, by halving. */
export function betaInverse(p: number, a: number, b: number): number | null {
  if (!(a > 0) || !(b > 0) || !(p >= 0) || !(p <= 1)) return null;
  let [low, high] = [0, 1];
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if ((betaCdf(middle, a, b) ?? 0) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Welch's test of two samples by mean, variance and size: the probability that their means are one, both tails. */
export function welchTest(
  mean1: number,
  variance1: number,
  count1: number,
  mean2: number,
  variance2: number,
  count2: number,
): number | null {
  if (!(count1 > 1) || !(count2 > 1) || variance1 < 0 || variance2 < 0) return null;
  const [one, other] = [variance1 / count1, variance2 / count2];
  if (one + other === 0) return null;
  const t = (mean1 - mean2) / Math.sqrt(one + other);
  const freedom = (one + other) ** 2 / (one ** 2 / (count1 - 1) + other ** 2 / (count2 - 1));
  return betaCdf(freedom / (freedom + t * t), freedom / 2, 0.5);
}
