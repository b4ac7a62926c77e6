// Rules that attack whoever reads them, by name, with the verdicts that they may get.

const rule = (selection: string): string =>
  `title: Hostile\nlogsource: {product: windows, category: process_creation}\ndetection:\n  s: {${selection}}\n  condition: s\n`;

const correlation = (name: string, of: string): string =>
  `title: ${name}\nname: ${name}\ncorrelation:\n  type: event_count\n  rules: [${of}]\n  group-by: [User]\n  timespan: 5m\n  condition: {gte: 1}\n`;

const many = (count: number, made: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => made(at)).join(',');

const bomb = `title: Bomb\na0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from(
  { length: 11 },
  (_, at) => `a${at + 1}: &a${at + 1} [${many(9, () => `*a${at}`)}]`,
).join('\n')}\n`;

export interface HostileRule {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly verdict: 'runs' | 'unsupported' | 'invalid';
}

export const HOSTILE_RULES: readonly HostileRule[] = [
  { name: 'aliases that unfold to billions', text: bomb, verdict: 'invalid' },
  { name: 'an alias of itself', text: 'title: t\na: &a [*a]', verdict: 'invalid' },
  { name: '10 MB', text: `# ${'x'.repeat(10 * 1024 * 1024)}\n${rule('User: x')}`, verdict: 'invalid' },
  { name: '10 MB in one value', text: rule(`User: '${'x'.repeat(10 * 1024 * 1024)}'`), verdict: 'invalid' },
  { name: 'brackets without end', text: `a: ${'['.repeat(100_000)}`, verdict: 'invalid' },
  { name: 'a pattern that explodes elsewhere', text: rule("CommandLine|re: '(a+)+$'"), verdict: 'runs' },
  { name: 'a pattern with many ways', text: rule("CommandLine|re: '(a|aa|a*)*b'"), verdict: 'runs' },
  {
    name: 'a pattern that unfolds to a million',
    text: rule("CommandLine|re: '((a{100}){100}){100}'"),
    verdict: 'unsupported',
  },
  {
    name: 'a pattern of 400,000 characters',
    text: rule(`CommandLine|re: '${'a|'.repeat(200_000)}b'`),
    verdict: 'unsupported',
  },
  {
    name: 'a text of 20,000 stars',
    text: rule(`CommandLine: '${'*a'.repeat(20_000)}'`),
    verdict: 'unsupported',
  },
  {
    name: '100,000 values to encode',
    text: rule(`CommandLine|base64offset|contains: [${many(100_000, (at) => `v${at}`)}]`),
    verdict: 'unsupported',
  },
  {
    name: '9,000 values to encode',
    text: rule(`CommandLine|base64offset|contains: [${many(3000, (at) => `value${at}`)}]`),
    verdict: 'runs',
  },
  { name: '9,000 numbers', text: rule(`EventID: [${many(9000, String)}]`), verdict: 'runs' },
  {
    name: '3,000 flags',
    text: rule(`CommandLine|windash|contains: '${' -a'.repeat(3000)}'`),
    verdict: 'unsupported',
  },
  {
    name: 'correlations of each other',
    text: `${correlation('a', 'b')}---\n${correlation('b', 'c')}---\n${correlation('c', 'a')}`,
    verdict: 'invalid',
  },
  { name: 'a correlation of itself', text: correlation('a', 'a'), verdict: 'invalid' },
  {
    name: 'a window of a thousand million days',
    text: correlation('a', 'b').replace('5m', '999999999999d'),
    verdict: 'invalid',
  },
  { name: 'a zero in a text', text: rule('CommandLine|contains: "a\\0b"'), verdict: 'runs' },
  {
    name: 'bytes that are no UTF-8',
    text: Uint8Array.of(0x74, 0x69, 0x74, 0x6c, 0x65, 0x3a, 0x20, 0xff, 0xfe),
    verdict: 'invalid',
  },
];
