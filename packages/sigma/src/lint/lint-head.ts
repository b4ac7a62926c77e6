import { LEVELS, STATUSES } from '../sigma-document.ts';
import { entryOf, type YamlEntry } from '../yaml/yaml-value.ts';
import { type LintContext, type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';

// What a rule says of itself (rules specification 2.1, "Components"; the rules of SigmaHQ for titles and texts).

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const ANY_UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const LONGEST_TITLE = 110;
const SHORTEST_DESCRIPTION = 16;
const RELATIONS = ['correlation', 'derived', 'obsolete', 'merged', 'renamed', 'similar'];
/** Words that a title writes small. */
const SMALL_WORDS = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'into',
  'of',
  'on',
  'or',
  'over',
  'the',
  'to',
  'via',
  'vs',
  'with',
  'within',
  'without',
  'under',
  'but',
  'nor',
  'per',
  'is',
  'are',
  'be',
  'not',
  'using',
  'than',
  'through',
  'that',
  'after',
]);

/** Keys of the top level of a document. */
export const TOP_KEYS = [
  'title',
  'id',
  'name',
  'related',
  'taxonomy',
  'status',
  'description',
  'license',
  'author',
  'references',
  'date',
  'modified',
  'tags',
  'scope',
  'logsource',
  'detection',
  'fields',
  'falsepositives',
  'level',
  'correlation',
  'filter',
  'action',
] as const;
const KNOWN: ReadonlySet<string> = new Set(TOP_KEYS);
/** What others write beside the specification, and nobody needs to be told of. */
const ALSO: ReadonlySet<string> = new Set([
  'regression_tests_path',
  'simulation',
  'custom',
  'notes',
  'schema',
  'enrichment',
  'samples',
]);

const ofKey = ({ map }: LintedDocument, key: string): YamlEntry | undefined => entryOf(map, key);
const firstLine = ({ map }: LintedDocument) => ({
  start: map.span.start,
  end: map.entries[0]?.keySpan.end ?? map.span.start,
});

/** Checks of id, title, status, level, dates, texts and lists. */
export function lintHead(document: LintedDocument, { takenIds }: LintContext): readonly LintFinding[] {
  return [
    ...idFindings(document, takenIds),
    ...titleFindings(document),
    ...choiceFindings(document),
    ...dateFindings(document),
    ...textFindings(document),
    ...falsePositiveFindings(document),
    ...referenceFindings(document),
    ...relatedFindings(document),
    ...keyFindings(document),
  ];
}

function idFindings(document: LintedDocument, taken: LintContext['takenIds']): readonly LintFinding[] {
  const entry = ofKey(document, 'id');
  const [value] = scalarsOf(entry?.value);
  if (!entry || !value) return [found('idMissing', firstLine(document))];
  const id = textIn(value);
  const title = taken?.get(id);
  return [
    ...(UUID4.test(id) ? [] : [found('idNotUuid', value.span)]),
    ...(title === undefined ? [] : [found('idTaken', value.span, { title })]),
  ];
}

function titleFindings(document: LintedDocument): readonly LintFinding[] {
  const [value] = scalarsOf(ofKey(document, 'title')?.value);
  if (!value) return [];
  const title = textIn(value);
  const { span } = value;
  const word = title
    .split(/[\s/]+/)
    .find((one, at) => /^[a-z][a-z]+$/.test(one) && (at === 0 || !SMALL_WORDS.has(one)));
  return [
    ...(title.length > LONGEST_TITLE
      ? [found('titleTooLong', span, { length: title.length, most: LONGEST_TITLE })]
      : []),
    ...(word === undefined ? [] : [found('titleCase', span, { word })]),
    ...(/[^.]\.$/.test(title.trim()) ? [found('titlePeriod', span)] : []),
    ...(/^detects?\b/i.test(title.trim()) ? [found('titleDetects', span)] : []),
  ];
}

function oneOf(
  document: LintedDocument,
  key: 'status' | 'level',
  allowed: readonly string[],
): readonly LintFinding[] {
  const [value] = scalarsOf(ofKey(document, key)?.value);
  const values = allowed.join(', ');
  if (!value) return [found(`${key}Missing`, firstLine(document), { values })];
  const text = textIn(value);
  return allowed.includes(text) ? [] : [found(`${key}Unknown`, value.span, { value: text, values })];
}

const choiceFindings = (document: LintedDocument): readonly LintFinding[] =>
  ofKey(document, 'filter')
    ? []
    : [...oneOf(document, 'status', STATUSES), ...oneOf(document, 'level', LEVELS)];

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A date of the calendar. */
function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  if (year === '') return false;
  const days =
    [31, Number(year) % 4 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

function dateFindings(document: LintedDocument): readonly LintFinding[] {
  const [date] = scalarsOf(ofKey(document, 'date')?.value);
  const [modified] = scalarsOf(ofKey(document, 'modified')?.value);
  const wrong = [date, modified].flatMap((one) =>
    one && !isDate(textIn(one)) ? [found('dateFormat', one.span, { value: textIn(one) })] : [],
  );
  const isBefore = date && modified && wrong.length === 0 && textIn(modified) < textIn(date);
  return [
    ...(date ? [] : [found('dateMissing', firstLine(document))]),
    ...wrong,
    ...(isBefore ? [found('modifiedBeforeDate', modified.span)] : []),
  ];
}

function textFindings(document: LintedDocument): readonly LintFinding[] {
  const [description] = scalarsOf(ofKey(document, 'description')?.value);
  const [author] = scalarsOf(ofKey(document, 'author')?.value);
  const isShort = description && textIn(description).trim().length < SHORTEST_DESCRIPTION;
  return [
    ...(description ? [] : [found('descriptionMissing', firstLine(document))]),
    ...(isShort ? [found('descriptionShort', description.span, { least: SHORTEST_DESCRIPTION })] : []),
    ...(author && textIn(author).trim() !== '' ? [] : [found('authorMissing', firstLine(document))]),
  ];
}

const SAYS_NOTHING = new Set([
  'none',
  'pentest',
  'penetration test',
  'unkown',
  'n/a',
  'no',
  '-',
  'penetration testing',
]);

function falsePositiveFindings(document: LintedDocument): readonly LintFinding[] {
  if (ofKey(document, 'filter') || ofKey(document, 'correlation')) return [];
  const entry = ofKey(document, 'falsepositives');
  if (!entry) return [found('falsepositivesMissing', firstLine(document))];
  return scalarsOf(entry.value).flatMap((value) => {
    const text = textIn(value);
    if (SAYS_NOTHING.has(text.trim().toLowerCase()))
      return [found('falsepositivesEmpty', value.span, { value: text })];
    return /^[a-z]/.test(text) ? [found('falsepositivesCase', value.span, { value: text })] : [];
  });
}

function referenceFindings(document: LintedDocument): readonly LintFinding[] {
  const seen = new Set<string>();
  return scalarsOf(ofKey(document, 'references')?.value).flatMap((value) => {
    const text = textIn(value);
    const isTwice = seen.has(text);
    seen.add(text);
    return [
      ...(isTwice ? [found('referenceTwice', value.span)] : []),
      ...(/^https?:\/\//.test(text) ? [] : [found('referenceNoLink', value.span)]),
    ];
  });
}

function relatedFindings(document: LintedDocument): readonly LintFinding[] {
  const value = ofKey(document, 'related')?.value;
  if (value?.kind !== 'list') return [];
  return value.items.flatMap((item) => {
    if (item.kind !== 'map') return [];
    const [id] = scalarsOf(entryOf(item, 'id')?.value);
    const [type] = scalarsOf(entryOf(item, 'type')?.value);
    const values = RELATIONS.join(', ');
    return [
      ...(id && ANY_UUID.test(textIn(id)) ? [] : [found('relatedId', id?.span ?? item.span)]),
      ...(type && RELATIONS.includes(textIn(type))
        ? []
        : [found('relatedType', type?.span ?? item.span, { value: type ? textIn(type) : '', values })]),
    ];
  });
}

const LISTS: ReadonlySet<string> = new Set(['references', 'tags', 'falsepositives', 'fields']);

function keyFindings({ map }: LintedDocument): readonly LintFinding[] {
  return map.entries.flatMap(({ key, keySpan, value }) => {
    if (LISTS.has(key) && value.kind !== 'list') return [found('listExpected', keySpan, { key })];
    if (KNOWN.has(key) || ALSO.has(key)) return [];
    const like = TOP_KEYS.find((one) => distance(one, key.toLowerCase()) <= 2);
    return [like ? found('keyLike', keySpan, { key, like }) : found('keyUnknown', keySpan, { key })];
  });
}

/** How many letters differ; 3 stands for more. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2 || other.length < 3) return 3;
  let before = [...Array(other.length + 1).keys()];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = (before[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      row.push(Math.min(change, (before[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1));
    }
    before = row;
  }
  return Math.min(3, before[other.length] ?? 3);
}
