import { LONGEST_QUERY } from '@tyrian/kql';
import { FRAGMENTS, FRAMES, LITERALS, STEPS, TEXTS, WORDS } from './query-fragments.ts';
import { type Choice, seededChoice } from './seeded-choice.ts';

// Queries that nobody would write: tokens of real ones dropped, doubled, swapped, replaced and spliced, with numbers at
// their limits, odd characters, deep brackets and everything that might be taken for a way out of the tenant.

/** Marks literals of mutated queries; no SQL text may hold one. */
export const MARKED = /zq[a-z0-9]{4}qz/;

const TOKEN =
  /\s+|\/\/[^\n]*|[hH]?@?"(?:[^"\\\n]|\\.)*"|[hH]?@?'(?:[^'\\\n]|\\.)*'|[A-Za-z_$][\w$]*|\d[\w.]*|[<>=!]=|=~|!~|\.\.|[^\s\w]/gu;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

type Mutation = (tokens: string[], choice: Choice, seeds: readonly string[]) => string[];

const at = (tokens: readonly string[], choice: Choice): number => choice.below(tokens.length + 1);

const inserted = (tokens: string[], index: number, text: string): string[] => [
  ...tokens.slice(0, index),
  ` ${text} `,
  ...tokens.slice(index),
];

const isWord = (token: string): boolean => /^[A-Za-z_$]/.test(token);
const isLiteral = (token: string): boolean => /^(?:[hH]?@?["']|\d)/.test(token);

/** Replaces one of the tokens that `fits`. */
const replacing =
  (fits: (token: string) => boolean, by: (choice: Choice) => string): Mutation =>
  (tokens, choice) => {
    const indexes = tokens.flatMap((token, index) => (fits(token) ? [index] : []));
    if (indexes.length === 0) return tokens;
    const chosen = choice.of(indexes);
    return tokens.map((token, index) => (index === chosen ? by(choice) : token));
  };

const mark = (choice: Choice): string => {
  const letters = Array.from({ length: 4 }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[choice.below(36)]);
  return choice.of(['"', "'"]).replace(/./, (quote) => `${quote}zq${letters.join('')}qz${quote}`);
};

const dropped: Mutation = (tokens, choice) => {
  const index = at(tokens, choice);
  return [...tokens.slice(0, index), ...tokens.slice(index + 1 + choice.below(3))];
};

const doubled: Mutation = (tokens, choice) => {
  const index = at(tokens, choice);
  const end = index + 1 + choice.below(8);
  return [...tokens.slice(0, end), ...tokens.slice(index, end), ...tokens.slice(end)];
};

const swapped: Mutation = (tokens, choice) => {
  const [one, other] = [choice.below(tokens.length), choice.below(tokens.length)];
  return tokens.map((token, index) =>
    index === one ? (tokens[other] ?? '') : index === other ? (tokens[one] ?? '') : token,
  );
};

/** The beginning of one query and the end of another, cut where steps begin when there are any. */
const spliced: Mutation = (tokens, choice, seeds) => {
  const others = tokensOf(choice.of(seeds));
  const cut = (list: readonly string[]): number => {
    const pipes = list.flatMap((token, index) => (token === '|' ? [index] : []));
    return pipes.length > 0 && !choice.once(4) ? choice.of(pipes) : choice.below(list.length + 1);
  };
  return [...tokens.slice(0, cut(tokens)), ...others.slice(cut(others))];
};

const stepMoved: Mutation = (tokens, choice) => {
  const steps = tokens.join('').split('|');
  if (steps.length < 3) return tokens;
  const [moved = ''] = steps.splice(1 + choice.below(steps.length - 1), 1);
  steps.splice(1 + choice.below(steps.length), 0, moved);
  return tokensOf(steps.join('|'));
};

const bracketed: Mutation = (tokens, choice) => {
  const start = at(tokens, choice);
  const end = Math.min(tokens.length, start + 1 + choice.below(6));
  const depth = choice.of([1, 1, 1, 2, 3, 30, 300]);
  const [open, close] = choice.of([
    ['(', ')'],
    ['tostring(', ')'],
    ['not(', ')'],
    ['iff(true, ', ', null)'],
    ['-(', ')'],
    ['(Events | union (', '))'],
    ['toscalar(Events | summarize count()) + (', ')'],
    ['[', ']'],
    ['dynamic({"a":', '})'],
  ] as const);
  return [
    ...tokens.slice(0, start),
    open.repeat(depth),
    ...tokens.slice(start, end),
    close.repeat(depth),
    ...tokens.slice(end),
  ];
};

/** Steps over and over, up to some thousand characters. */
const repeated: Mutation = (tokens, choice) => {
  const steps = tokens.join('').split('|');
  const step = choice.of(steps);
  const times = Math.min(choice.of([2, 3, 5, 20]), Math.max(1, Math.floor(6000 / (step.length + 1))));
  return [...tokens, ...tokensOf(`|${step}`.repeat(times))];
};

const characterChanged: Mutation = (tokens, choice) => {
  const text = tokens.join('');
  const index = choice.below(text.length + 1);
  const odd = choice.of([
    '',
    '\u0000',
    '\u00a0',
    '\u2028',
    '\ud800',
    '😀',
    'é',
    '`',
    '\\',
    '"',
    "'",
    '{',
    '}',
    '\n\n',
    ';',
    '\r',
  ]);
  return [text.slice(0, index), odd, text.slice(index + choice.below(2))];
};

const MUTATIONS: readonly Mutation[] = [
  dropped,
  doubled,
  swapped,
  spliced,
  spliced,
  stepMoved,
  bracketed,
  repeated,
  characterChanged,
  replacing(isWord, (choice) => choice.of(WORDS)),
  replacing(isWord, (choice) => choice.of(WORDS)),
  replacing(isLiteral, (choice) => choice.of(LITERALS)),
  replacing(isLiteral, mark),
  replacing(
    (token) => !/^\s/.test(token),
    (choice) => choice.of([...FRAGMENTS, ...WORDS]),
  ),
  (tokens, choice) => inserted(tokens, at(tokens, choice), choice.of(FRAGMENTS)),
  (tokens, choice) => inserted(tokens, at(tokens, choice), choice.of(WORDS)),
  (tokens, choice) => inserted(tokens, tokens.length, choice.of(FRAGMENTS)),
];

/** A literal by one of its kind, so that what follows still fits. */
const sameKind: Mutation = (tokens, choice) => {
  const isText = (token: string) => /^[hH]?@?["']/.test(token);
  const isNumber = (token: string) => /^\d+$/.test(token);
  return choice.once(3)
    ? replacing(isNumber, () => choice.of(['0', '1', '2', '7', '100', '4294967296', '9223372036854775807']))(
        tokens,
        choice,
        [],
      )
    : replacing(isText, (one) => (one.once(3) ? one.of(TEXTS) : mark(one)))(tokens, choice, []);
};

const stepAdded: Mutation = (tokens, choice) => {
  const pipes = tokens.flatMap((token, index) => (token === '|' ? [index] : []));
  const index = pipes.length > 0 && choice.once(2) ? choice.of(pipes) : tokens.length;
  return inserted(tokens, index, choice.of(STEPS));
};

const wrappedWhole: Mutation = (tokens, choice) => {
  const text = tokens.join('').trim();
  if (/;|\/\/|^(?:let|set|declare|alias)\b/.test(text)) return tokens;
  const [before, after] = choice.of(FRAMES);
  return tokensOf(`${before}${text}${after}`);
};

/** After these most queries still compile. */
const GENTLE: readonly Mutation[] = [
  sameKind,
  sameKind,
  stepAdded,
  stepAdded,
  stepMoved,
  repeated,
  wrappedWhole,
];

/** Mostly the shortest of three: long queries take most of the time and try little more. */
function shortly(seeds: readonly string[], choice: Choice): string {
  const drawn = [choice.of(seeds), choice.of(seeds), choice.of(seeds)];
  return choice.once(5)
    ? choice.of(drawn)
    : drawn.reduce((one, other) => (other.length < one.length ? other : one));
}

/** Query `index` of the run with a seed: one of `seeds` after one to four mutations. */
export function mutatedQuery(seed: number, index: number, seeds: readonly string[]): string {
  const choice = seededChoice(seed, index);
  let tokens = tokensOf(shortly(seeds, choice));
  const isGentle = !choice.once(3);
  const rounds = choice.of([1, 1, 1, 2, 2, 3, 4]);
  for (let round = 0; round < rounds; round += 1) {
    if (tokens.length === 0) break;
    tokens = choice.of(isGentle ? GENTLE : MUTATIONS)(tokens, choice, seeds);
  }
  return tokens.join('').slice(0, LONGEST_QUERY + 10);
}
