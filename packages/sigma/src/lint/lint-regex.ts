import type { YamlScalar } from '../yaml/yaml-value.ts';
import { textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';

// Regular expressions that say what a modifier says.

/** Whether values are regular expressions. */
export const isRegex = (modifiers: readonly string[]): boolean => modifiers.includes('re');

/** The text that an expression stands for; null when it is more than a text. */
function textOfRegex(pattern: string): string | null {
  let text = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const one = pattern[at] ?? '';
    if (one === '\\') {
      const next = pattern[at + 1] ?? '';
      if (!/[\\.*+?()|[\]{}^$\-/ ]/.test(next)) return null;
      text += next;
      at += 1;
    } else if (/[.*+?()|[\]{}^$]/.test(one)) return null;
    else text += one;
  }
  return text;
}

/** What an expression could be instead. */
export function regexFindings(
  value: YamlScalar,
  { field, modifiers }: { readonly field: string; readonly modifiers: readonly string[] },
): readonly LintFinding[] {
  const pattern = textIn(value).replace(/^\(\?i\)/, '');
  const { span } = value;
  const bare = pattern.replace(/^\.\*/, '').replace(/(?<!\\)\.\*$/, '');
  const [opens, closes] = [!bare.startsWith('^'), !/(?<!\\)\$$/.test(bare)];
  const inner = bare.slice(opens ? 0 : 1, closes ? undefined : -1);
  const text = textOfRegex(inner);
  // Without `i` an expression tells capitals from small letters, as `cased` does.
  const isCased = !(modifiers.includes('i') || /^\(\?i\)/.test(textIn(value)));
  if (text !== null && text !== '' && field !== '') {
    const kind = opens && closes ? 'contains' : opens ? 'endswith' : closes ? 'startswith' : '';
    const modifier = [kind, ...(isCased && /\p{L}/u.test(text) ? ['cased'] : [])]
      .filter((one) => one !== '')
      .join('|');
    return modifier === '' ? [] : [found('regexPlain', span, { field, modifier })];
  }
  return bare === pattern ? [] : [found('regexOpen', span)];
}
