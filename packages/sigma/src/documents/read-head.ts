import type { Diagnostic } from '@tyrian/diagnostics';
import { LEVELS, type LogSource, type SigmaHead, STATUSES } from '../sigma-document.ts';
import { faults, refuse, remark } from '../sigma-faults.ts';
import { entryOf, listed, type YamlMap, type YamlScalar, type YamlValue } from '../yaml/yaml-value.ts';

// What rules, correlations and filters say of themselves (rules specification 2.1, "Components"). What a rule needs to
// run is refused when it is wrong; the rest is remarked.

const LONGEST_TITLE = 256;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const textOf = (value: YamlValue | undefined): string | undefined =>
  value?.kind === 'scalar' && value.value !== null
    ? typeof value.value === 'string'
      ? value.value
      : value.text
    : undefined;

/** The text under a key; undefined when there is none. */
export const textAt = (map: YamlMap, key: string): string | undefined => textOf(entryOf(map, key)?.value);

/** The texts under a key, which may be one text or a list. */
export const textsAt = (map: YamlMap, key: string): readonly string[] => {
  const entry = entryOf(map, key);
  return entry ? listed(entry.value).flatMap((value) => textOf(value) ?? []) : [];
};

/** The map under a key; refuses a document without it. */
export function mapAt(map: YamlMap, key: string): YamlMap {
  const entry = entryOf(map, key);
  if (!entry) return refuse(faults.missing(map.span, key));
  if (entry.value.kind !== 'map') return refuse(faults.wrongType(entry.keySpan, key, 'a map'));
  return entry.value;
}

/** The log source of a rule. Throws SigmaFailure when it names none. */
export function readLogSource(document: YamlMap): LogSource {
  const map = mapAt(document, 'logsource');
  const found: Record<string, string> = {};
  for (const key of ['product', 'category', 'service', 'definition'] as const) {
    const text = textAt(map, key);
    if (text !== undefined && text !== '') found[key] = key === 'definition' ? text : text.toLowerCase();
  }
  if (found.product === undefined && found.category === undefined && found.service === undefined)
    refuse(faults.missing(map.span, 'logsource: product, category or service'));
  return found;
}

function oneOf<T extends string>(
  document: YamlMap,
  key: string,
  allowed: readonly T[],
  remarks: Diagnostic[],
): T | undefined {
  const entry = entryOf(document, key);
  const text = textOf(entry?.value);
  if (!entry || text === undefined) return undefined;
  const found = allowed.find((one) => one === text.toLowerCase());
  if (!found)
    remarks.push(remark('SIG200', entry.value.span, `"${text}" is no ${key}: one of ${allowed.join(', ')}`));
  return found;
}

const TECHNIQUE = /^attack\.(t\d{4}(?:\.\d{3})?)$/i;
const TACTIC = /^attack\.([a-z]+(?:[-_][a-z]+)*)$/i;
/** What the namespace holds beside tactics and techniques: groups and software. */
const OTHER_ATTACK = /^attack\.(?:[gsm]\d{4}|ds\d{4})$/i;

/** The head of a document. Throws SigmaFailure for one without a title. */
export function readHead(document: YamlMap): SigmaHead {
  const remarks: Diagnostic[] = [];
  const title = textAt(document, 'title');
  if (title === undefined || title.trim() === '') refuse(faults.missing(document.span, 'title'));
  const titleSpan = entryOf(document, 'title')?.value.span ?? document.span;
  if ((title ?? '').length > LONGEST_TITLE)
    remarks.push(remark('SIG201', titleSpan, `The title is longer than ${LONGEST_TITLE} characters`));
  const id = textAt(document, 'id');
  if (id !== undefined && !UUID.test(id))
    remarks.push(remark('SIG202', entryOf(document, 'id')?.value.span ?? document.span, 'The id is no UUID'));
  const tags = textsAt(document, 'tags');
  const optional = <K extends string>(key: K): { readonly [P in K]?: string } => {
    const text = textAt(document, key);
    return (text === undefined ? {} : { [key]: text }) as { readonly [P in K]?: string };
  };
  const status = oneOf(document, 'status', STATUSES, remarks);
  const level = oneOf(document, 'level', LEVELS, remarks);
  return {
    title: title ?? '',
    ...optional('id'),
    ...optional('name'),
    ...(status ? { status } : {}),
    ...(level ? { level } : {}),
    ...optional('description'),
    ...optional('author'),
    ...optional('license'),
    ...optional('date'),
    ...optional('modified'),
    references: textsAt(document, 'references'),
    falsepositives: textsAt(document, 'falsepositives'),
    fields: textsAt(document, 'fields'),
    tags,
    techniques: tags.flatMap((tag) => TECHNIQUE.exec(tag)?.[1]?.toUpperCase() ?? []),
    tactics: tags.flatMap((tag) =>
      OTHER_ATTACK.test(tag) ? [] : (TACTIC.exec(tag)?.[1]?.toLowerCase().replaceAll('_', '-') ?? []),
    ),
    span: document.span,
    remarks,
  };
}

/** A scalar under a key; refuses anything else. */
export function scalarAt(map: YamlMap, key: string): YamlScalar {
  const entry = entryOf(map, key);
  if (!entry) return refuse(faults.missing(map.span, key));
  if (entry.value.kind !== 'scalar') return refuse(faults.wrongType(entry.keySpan, key, 'a plain value'));
  return entry.value;
}
