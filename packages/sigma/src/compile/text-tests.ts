import { call, constant, type Scalar } from '@tyrian/plan';
import { isWildcard, plainText, type TextPart } from '../detection/text-pattern.ts';

// A text against a pattern of Sigma, as the cheapest test of the plan that says the same.

const QUOTED = /[\\.+*?()|[\]{}^$\-/]/g;

/** Characters as a regular expression of RE2. */
export const quoteRegex = (text: string): string =>
  text.replace(QUOTED, '\\$&').replaceAll('\0', '\\x00').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

const partRegex = (part: TextPart): string => {
  if (typeof part === 'string') return quoteRegex(part);
  if ('wildcard' in part) return part.wildcard === '*' ? '.*' : '.';
  if ('oneOf' in part) return `[${part.oneOf.map((one) => quoteRegex(one)).join('')}]`;
  throw new Error('A list is filled in before a pattern is compiled');
};

/** The pattern as a regular expression that finds it; `*` at an end leaves that end open. */
function patternRegex(parts: readonly TextPart[], cased: boolean, anchored: boolean): string {
  const opens = isWildcard(parts[0], '*');
  const closes = isWildcard(parts.at(-1), '*');
  const inner = parts.slice(opens ? 1 : 0, closes ? -1 : undefined);
  const start = opens || !anchored ? '' : '^';
  const end = closes || !anchored ? '' : '$';
  return `(?${cased ? '' : 'i'}s)${start}${inner.map(partRegex).join('')}${end}`;
}

/** What a pattern says where it has wildcards at its ends alone. */
export interface PlainPattern {
  readonly text: string;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** The pattern as a text between open ends; null when it has wildcards inside. */
export function plainPattern(parts: readonly TextPart[]): PlainPattern | null {
  const opens = isWildcard(parts[0], '*');
  const closes = parts.length > 1 && isWildcard(parts.at(-1), '*');
  const text = plainText(parts.slice(opens ? 1 : 0, closes ? -1 : undefined));
  return text === null ? null : { text, opens, closes };
}

/** Whether a text is like the pattern. */
export function patternTest(text: Scalar, parts: readonly TextPart[], cased: boolean): Scalar {
  const plain = plainPattern(parts);
  if (plain === null)
    return call('bool', 'matches_regex', text, constant('string', patternRegex(parts, cased, true)));
  const needle = constant('string', plain.text);
  // A star alone asks for any value.
  if (plain.text === '' && (plain.opens || plain.closes)) return call('bool', 'isnotempty', text);
  const suffix = cased ? '_cs' : '';
  if (plain.opens && plain.closes) return call('bool', `contains${suffix}`, text, needle);
  if (plain.opens) return call('bool', `endswith${suffix}`, text, needle);
  if (plain.closes) return call('bool', `startswith${suffix}`, text, needle);
  if (plain.text === '') return call('bool', 'isempty', text);
  return cased ? call('bool', 'equal', text, needle) : call('bool', 'equal_ci', text, needle);
}

/**
 * Whether a whole event holds the pattern anywhere. Records of JSON write some characters with a backslash before them,
 * so a text with such characters is looked for in both ways.
 */
export function anywhereTest(raw: Scalar, parts: readonly TextPart[], cased: boolean): Scalar[] {
  const forms = [
    parts,
    parts.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : part)),
  ];
  const distinct = JSON.stringify(forms[0]) === JSON.stringify(forms[1]) ? forms.slice(0, 1) : forms;
  return distinct.map((form) => {
    const plain = plainPattern(form);
    if (plain !== null && plain.text === '') return call('bool', 'isnotempty', raw);
    return plain === null
      ? call('bool', 'matches_regex', raw, constant('string', patternRegex(form, cased, false)))
      : call('bool', `contains${cased ? '_cs' : ''}`, raw, constant('string', plain.text));
  });
}
