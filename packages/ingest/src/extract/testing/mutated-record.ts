// Records that no sender would write, made of records that senders write. A record is made from a seed and its number
// alone, so that a fault can be met again.

/** A generator of numbers below 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PIECES = [
  ...['"', "'", '{', '}', '[', ']', ',', ':', '=', '|', '<', '>', '/', '\\', '%', '&', '#', ';', ' ', '\t'],
  ...['\n', '\r', '\0', '\u001d', '\ud800', '\udc00', 'é', '漢', '🙂', '\u2028', '-', '.', '0', '1', 'a'],
  ...[
    '<13>',
    'CEF:0|',
    'LEEF:2.0|',
    'type=EXECVE msg=audit(1.1:1): ',
    '<Event>',
    '</System>',
    '{"message":"',
  ],
  ...['__proto__', 'constructor', 'null', 'true', '1e999', '99999999999999999999', '%ASA-6-', '#Fields: a b'],
];
/** How often a piece may be repeated in one record; most are not. */
const MOST_REPEATS = 20_000;

/** Record number `index` of a seed, from the records `seeds`. */
export function mutatedRecord(seeds: readonly string[], seed: number, index: number): string {
  const random = randomOf(seed * 1_000_003 + index);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  let text = pick(seeds);
  for (let change = 1 + below(4); change > 0; change -= 1) {
    const at = below(text.length + 1);
    const end = Math.min(text.length, at + below(12));
    switch (below(8)) {
      case 0:
        text = text.slice(0, at) + pick(PIECES) + text.slice(at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(end);
        break;
      case 2:
        text = text.slice(0, at) + pick(PIECES) + text.slice(end);
        break;
      case 3:
        text = text.slice(0, at) + String.fromCharCode(below(0x10000)) + text.slice(at + 1);
        break;
      case 4:
        text = text.slice(0, at) + text.slice(at, end).repeat(below(40)) + text.slice(end);
        break;
      case 5:
        text = text.slice(0, at) + pick(seeds).slice(below(200));
        break;
      case 6:
        // One in some hundreds is long.
        text =
          text.slice(0, at) +
          pick(PIECES).repeat(below(100) === 0 ? below(MOST_REPEATS) : below(20)) +
          text.slice(at);
        break;
      default:
        text = below(3) === 0 ? JSON.stringify({ message: text }) : `<${below(200)}>${text}`;
    }
  }
  return text;
}
