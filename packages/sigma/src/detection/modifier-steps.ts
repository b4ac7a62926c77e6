import type { Span } from '@tyrian/diagnostics';
import { inEnglish } from '@tyrian/diagnostics';
import { regexFault } from '@tyrian/plan';
import { faults, refuse } from '../sigma-faults.ts';
import { base64, base64Offsets, dashVariants, WIDE } from './encode-text.ts';
import {
  type Comparison,
  type MatchValue,
  type TextRelation,
  TIME_PARTS,
  type TimePart,
} from './match-value.ts';
import { ANY, isWildcard, joinedParts, plainText, type TextPart, withLists } from './text-pattern.ts';

// Modifiers change values one after the other, in the order in which they are written (rules specification 2.1, "Value
// Modifiers"). A value is a `Draft` until the last of them has had its turn.

/** A value on its way through the modifiers. */
export interface Draft {
  readonly value: MatchValue;
  /** Whether the characters are bytes that an encoding has made. */
  readonly isBytes: boolean;
}

type Step = (draft: Draft, span: Span) => readonly Draft[];

const COMPARISONS: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte']);

/** A value as texts: what modifiers of texts take. Numbers become their digits. */
function textOf(
  { value, isBytes }: Draft,
  name: string,
  span: Span,
): { parts: readonly TextPart[]; isBytes: boolean } {
  if (value.kind === 'text') return { parts: value.parts, isBytes };
  if (value.kind === 'number') return { parts: [value.text], isBytes };
  return refuse(faults.modifierOrder(span, name, 'it changes texts'));
}

const changed = (draft: Draft, parts: readonly TextPart[], isBytes = draft.isBytes): Draft => ({
  value: {
    kind: 'text',
    parts: joinedParts(parts),
    cased: draft.value.kind === 'text' && draft.value.cased,
    span: draft.value.span,
  },
  isBytes,
});

/** Wildcards around a text, where there are none yet; in a reference to a field the relation. */
function around(name: Exclude<TextRelation, 'equals'>): Step {
  return (draft, span) => {
    const { value } = draft;
    if (value.kind === 'field') return [{ ...draft, value: { ...value, relation: name } }];
    // A pattern finds anywhere already.
    if (value.kind === 'regex' && name === 'contains') return [draft];
    const { parts } = textOf(draft, name, span);
    const before = name !== 'startswith' && !isWildcard(parts[0], '*') ? [ANY] : [];
    const after = name !== 'endswith' && !isWildcard(parts.at(-1), '*') ? [ANY] : [];
    return [changed(draft, [...before, ...parts, ...after])];
  };
}

/** An encoding of a text without wildcards. */
function encoded(
  name: string,
  encode: (text: string, isBytes: boolean) => readonly string[],
  bytes: boolean,
): Step {
  return (draft, span) => {
    const { parts, isBytes } = textOf(draft, name, span);
    const text = plainText(parts);
    if (text === null) return refuse(faults.encodedWildcard(draft.value.span));
    return encode(text, isBytes).map((one): Draft => {
      const cased = draft.value.kind === 'text' && draft.value.cased;
      const value: MatchValue = { kind: 'text', parts: [one], cased, span: draft.value.span };
      return { value, isBytes: bytes };
    });
  };
}

const windash: Step = (draft, span) => {
  const { parts } = textOf(draft, 'windash', span);
  // Each run of characters by itself: a wildcard may stand between two flags.
  let variants: readonly (readonly TextPart[])[] = [[]];
  for (const part of parts) {
    const choices = typeof part === 'string' ? dashVariants(part) : [[part]];
    variants = variants.flatMap((before) => choices.map((one) => [...before, ...one]));
    if (variants.length > 1000) refuse(faults.tooManyTests(draft.value.span, 1000));
  }
  return variants.map((one) => changed(draft, one));
};

/** The source of a pattern: its text, without the escapes of wildcards, as it was written. */
const regex =
  (raw: string): Step =>
  (draft) => {
    const pattern = raw;
    checkPattern(pattern, draft.value.span);
    return [{ value: { kind: 'regex', pattern, span: draft.value.span }, isBytes: false }];
  };

function checkPattern(pattern: string, span: Span): void {
  const fault = regexFault(pattern);
  if (fault !== null) refuse(faults.regex(span, typeof fault === 'string' ? fault : inEnglish(fault)));
}

/** `i`, `m`, `s` behind `re`. */
function regexFlag(flag: string): Step {
  return (draft, span) => {
    if (draft.value.kind !== 'regex')
      return refuse(faults.modifierOrder(span, flag, 'it stands behind "re"'));
    const { pattern } = draft.value;
    const flags = /^\(\?([ims]+)\)/.exec(pattern);
    const next = flags ? `(?${flags[1]}${flag})${pattern.slice(flags[0].length)}` : `(?${flag})${pattern}`;
    return [{ ...draft, value: { ...draft.value, pattern: next } }];
  };
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*\/(\d{1,3})$/i;

function cidr(raw: string): Step {
  return (draft) => {
    const { span } = draft.value;
    const text = raw.trim();
    const four = IPV4.exec(text);
    if (four?.slice(1, 5).every((octet) => Number(octet) <= 255) && Number(four[5]) <= 32)
      return [{ value: { kind: 'network', cidr: text, version: 4, span }, isBytes: false }];
    const six = IPV6.exec(text);
    if (six && Number(six[1]) <= 128)
      return [{ value: { kind: 'network', cidr: text, version: 6, span }, isBytes: false }];
    return refuse(faults.value(span, text, 'a network such as 10.0.0.0/8'));
  };
}

function numberOf(draft: Draft): number {
  const { value } = draft;
  if (value.kind === 'number') return value.value;
  const text = value.kind === 'text' ? plainText(value.parts) : null;
  const found = text === null || text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(found)) refuse(faults.value(value.span, text ?? '', 'a number'));
  return found;
}

const compare =
  (comparison: Comparison): Step =>
  (draft) => {
    const { value } = draft;
    if (value.kind === 'time')
      refuse(faults.modifierOrder(value.span, comparison, 'a part of a time is held by its value'));
    return [
      { value: { kind: 'compare', comparison, value: numberOf(draft), span: value.span }, isBytes: false },
    ];
  };

const timePart =
  (part: TimePart): Step =>
  (draft) => {
    const value = numberOf(draft);
    return [{ value: { kind: 'time', part, value, span: draft.value.span }, isBytes: false }];
  };

const cased: Step = (draft, span) => {
  const { value } = draft;
  if (value.kind === 'field') return [{ ...draft, value: { ...value, cased: true } }];
  const { parts } = textOf(draft, 'cased', span);
  return [{ ...draft, value: { kind: 'text', parts, cased: true, span: value.span } }];
};

const fieldReference =
  (raw: string): Step =>
  (draft) => {
    const { value } = draft;
    const { span } = value;
    if (raw.trim() === '') refuse(faults.value(span, raw, 'the name of a field'));
    // Wildcards that came before tell the relation.
    const parts = value.kind === 'text' ? value.parts : [];
    const [opens, closes] = [isWildcard(parts[0], '*'), isWildcard(parts.at(-1), '*')];
    const relation: TextRelation = opens
      ? closes
        ? 'contains'
        : 'endswith'
      : closes
        ? 'startswith'
        : 'equals';
    const isCased = value.kind === 'text' && value.cased;
    return [{ value: { kind: 'field', field: raw.trim(), relation, cased: isCased, span }, isBytes: false }];
  };

const expand: Step = (draft, span) => {
  const { parts } = textOf(draft, 'expand', span);
  return [changed(draft, withLists(parts))];
};

const TIMES: ReadonlySet<string> = new Set(TIME_PARTS);

/** The step of a modifier; `raw` is the value as it was written. Null for a modifier that is not known. */
export function stepOf(name: string, raw: string): Step | null {
  if (name === 'contains' || name === 'startswith' || name === 'endswith') return around(name);
  const wide = Object.hasOwn(WIDE, name) ? WIDE[name] : undefined;
  if (wide) return encoded(name, (text) => [wide(text)], true);
  if (name === 'base64') return encoded(name, (text, isBytes) => [base64(text, isBytes)], false);
  if (name === 'base64offset') return encoded(name, base64Offsets, false);
  if (name === 'windash') return windash;
  if (name === 're') return regex(raw);
  if (name === 'i' || name === 'm' || name === 's') return regexFlag(name);
  if (name === 'cidr') return cidr(raw);
  if (COMPARISONS.has(name)) return compare(name as Comparison);
  if (TIMES.has(name)) return timePart(name as TimePart);
  if (name === 'cased') return cased;
  if (name === 'fieldref') return fieldReference(raw);
  if (name === 'expand') return expand;
  return null;
}
