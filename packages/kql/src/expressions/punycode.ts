// Punycode (RFC 3492) of texts and of the labels of a domain name.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const INITIAL_N = 128;
const INITIAL_BIAS = 72;

function adapted(delta: number, points: number, first: boolean): number {
  let rest = first ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + 38));
}

const threshold = (k: number, bias: number): number => Math.min(Math.max(k - bias, T_MIN), T_MAX);

const digit = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22);

function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 22;
  if (code >= 65 && code <= 90) return code - 65;
  return code >= 97 && code <= 122 ? code - 97 : BASE;
}

function variableLength(delta: number, bias: number): string {
  let output = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return output + digit(rest);
    output += digit(t + ((rest - t) % (BASE - t)));
    rest = Math.floor((rest - t) / (BASE - t));
  }
}

/** A text in the ASCII form. */
export function encodePunycode(text: string): string {
  const points = [...text].map((one) => one.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < INITIAL_N);
  let output = String.fromCodePoint(...basic);
  if (basic.length > 0) output += '-';
  let [n, delta, bias, done] = [INITIAL_N, 0, INITIAL_BIAS, basic.length];
  while (done < points.length) {
    const from = n;
    const next = Math.min(...points.filter((point) => point >= from));
    delta += (next - n) * (done + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      output += variableLength(delta, bias);
      bias = adapted(delta, done + 1, done === basic.length);
      delta = 0;
      done += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
}

/** The text that an ASCII form stands for; null when it is none. */
export function decodePunycode(text: string): string | null {
  const border = text.lastIndexOf('-');
  const output = border > 0 ? [...text.slice(0, border)].map((one) => one.codePointAt(0) ?? 0) : [];
  if (output.some((point) => point >= INITIAL_N)) return null;
  let [n, i, bias, at] = [INITIAL_N, 0, INITIAL_BIAS, border > 0 ? border + 1 : 0];
  while (at < text.length) {
    const before = i;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const value = at < text.length ? digitValue(text.charCodeAt(at++)) : BASE;
      if (value >= BASE) return null;
      i += value * weight;
      if (i > 0x7fffffff) return null;
      const t = threshold(k, bias);
      if (value < t) break;
      weight *= BASE - t;
    }
    bias = adapted(i - before, output.length + 1, before === 0);
    n += Math.floor(i / (output.length + 1));
    if (n > 0x10ffff) return null;
    i %= output.length + 1;
    output.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...output);
}

/** A domain name with its labels beyond ASCII as `xn--`. */
export function encodeDomain(domain: string): string {
  return domain
    .split('.')
    .map((label) => (/^[\0-\x7f]*$/.test(label) ? label : `xn--${encodePunycode(label)}`))
    .join('.');
}

/** A domain name with its `xn--` labels spelled out; null when one of them is not valid. */
export function decodeDomain(domain: string): string | null {
  const labels = domain
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? decodePunycode(label.slice(4)) : label));
  return labels.includes(null) ? null : labels.join('.');
}
