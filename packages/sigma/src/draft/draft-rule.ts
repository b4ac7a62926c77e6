import type { LogSourceMapping } from '../mapping/source-condition.ts';
import { type DraftCondition, draftKindOf } from './draft-condition.ts';

// The text of a drafted Sigma rule.

export interface DraftHead {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** A condition by the name of its field in the rule. */
export interface NamedCondition extends DraftCondition {
  readonly field: string;
}

const CONTROL = /[\p{Cc}\u2028\u2029\ufeff]/u;

/** A text as YAML: in single quotes, in double ones where it holds characters that only these can write. */
const quoted = (text: string): string =>
  CONTROL.test(text)
    ? JSON.stringify(text).replace(
        /[\u007f-\u009f\u2028\u2029\ufeff]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : `'${text.replaceAll("'", "''")}'`;

/** A value that means itself: wildcards, and backslashes before them, are escaped. */
const literal = (text: string): string => text.replace(/[*?]|\\(?=[\\*?])/g, (one) => `\\${one}`);

const valueText = ({ path }: DraftCondition, value: string): string =>
  draftKindOf(path) === 'number' ? value : quoted(literal(value));

interface Item {
  readonly key: string;
  readonly lines: readonly string[];
}

const list = (values: readonly string[]): readonly string[] =>
  values.length === 1 ? [` ${values[0]}`] : ['', ...values.map((value) => `            - ${value}`)];

/** The items of a selection: what several parts are asked of one field stands together. */
function itemsOf(conditions: readonly NamedCondition[]): readonly Item[] {
  const keyOf = ({ field, operator }: NamedCondition) =>
    operator === 'equals' ? field : `${field}|${operator}`;
  const parts = new Map<string, string[]>();
  const items: Item[] = [];
  for (const condition of conditions) {
    const key = keyOf(condition);
    const values = condition.values.map((value) => valueText(condition, value));
    if (condition.operator === 'contains' && values.length === 1)
      parts.set(key, [...(parts.get(key) ?? []), ...values]);
    else items.push({ key, lines: list(values) });
  }
  for (const [key, values] of parts)
    items.push({ key: values.length > 1 ? `${key}|all` : key, lines: list(values) });
  return items;
}

/** Selections that name no key twice. */
function selectionsOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const selections: Item[][] = [];
  for (const item of items) {
    const free = selections.find((one) => one.every(({ key }) => key !== item.key));
    if (free) free.push(item);
    else selections.push([item]);
  }
  return selections;
}

/** The rule as YAML. */
export function draftRuleText(
  { id, title, description, author, date }: DraftHead,
  { category, product, service }: LogSourceMapping,
  conditions: readonly NamedCondition[],
): string {
  const selections = selectionsOf(itemsOf(conditions));
  const nameOf = (at: number) => (selections.length === 1 ? 'selection' : `selection_${at + 1}`);
  const source = Object.entries({ category, product, service }).flatMap(([key, value]) =>
    value === undefined ? [] : [`    ${key}: ${value}`],
  );
  return [
    `title: ${quoted(title)}`,
    `id: ${id}`,
    'status: experimental',
    `description: ${quoted(description)}`,
    `author: ${quoted(author)}`,
    `date: ${date}`,
    'logsource:',
    ...source,
    'detection:',
    ...selections.flatMap((items, at) => [
      `    ${nameOf(at)}:`,
      ...items.flatMap(({ key, lines: [first = '', ...rest] }) => [
        `        ${plainKey(key)}:${first}`,
        ...rest,
      ]),
    ]),
    `    condition: ${selections.map((_, at) => nameOf(at)).join(' and ')}`,
    '# What does it mean, what to check first, how to respond: say it in the description.',
    'falsepositives:',
    '    - Unknown',
    'level: medium',
    '',
  ].join('\n');
}

const plainKey = (key: string): string => (/^[A-Za-z_][\w.|-]*$/.test(key) ? key : quoted(key));

/** Characters of the samples of a draft together. */
const MOST_SAMPLE_CHARS = 60_000;

/** Events as a sample that has to match, to stand at the end of the text; empty when they are too long for it. */
export function draftSamplesText(name: string, events: readonly string[]): string {
  const chars = events.reduce((sum, event) => sum + event.length, 0);
  if (events.length === 0 || chars > MOST_SAMPLE_CHARS || events.includes('')) return '';
  return [
    'samples:',
    `    - name: ${quoted(name)}`,
    '      expect: match',
    '      events:',
    ...events.map((event) => `          - ${quoted(event)}`),
    '',
  ].join('\n');
}
