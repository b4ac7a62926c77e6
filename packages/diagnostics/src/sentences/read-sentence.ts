import type { Sentence } from './fill-sentence.ts';
import { LANGUAGE_SERVICE_SENTENCES } from './language-service-sentences.ts';
import { oneOf } from './sentences.ts';

/** Lists of the language service, which it writes as "A, B or C". */
const LISTS = new Set(['types', 'values']);

/**
 * The sentence that the language service has written out, with its values cut out of the text; null for one that is
 * not known.
 */
export function readSentence(code: string, text: string): Sentence | null {
  for (const [key, template] of Object.entries(LANGUAGE_SERVICE_SENTENCES)) {
    if (key.replace(/[a-z]$/, '') !== code) continue;
    const found = patternOf(template).exec(text);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      LISTS.has(name) ? listed(value) : value,
    ]);
    return values.length === 0 ? { key } : { key, values: Object.fromEntries(values) };
  }
  return null;
}

/** Matches what a template becomes, each place as a group of its name. */
function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{\{(\w+)\}\}/)
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part}>.*?)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('')}$`, 's');
}

function listed(text: string): string | Sentence {
  const [, first, last] = /^(.+) or (\S+)$/s.exec(text) ?? [];
  return first === undefined || last === undefined ? text : oneOf([...first.split(', '), last]);
}
