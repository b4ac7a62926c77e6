import { fillTemplate } from '@tyrian/diagnostics';
import type { CodedText, MessageValue } from './message-values.ts';

// A message in another language than English, by its code.

/** Gives the template of a code in one language; undefined where it has none. */
type TemplateOf = (code: string) => string | undefined;

/** The sentence as one language says it; it, or a part of it, stays English where the language has no template. */
export function translateMessage(
  { message, messageCode: code, messageValues: values = {} }: CodedText,
  templateOf: TemplateOf,
): string {
  const template = code === undefined ? undefined : templateOf(code);
  if (template === undefined) return message;
  return fillTemplate(template, (name) => {
    const value = values[name];
    if (value === undefined) return undefined;
    const text = partText(value, templateOf);
    return code === 'input.field' && name === 'field' ? fieldLabel(text, templateOf) : text;
  });
}

function partText(value: MessageValue, templateOf: TemplateOf): string {
  if (typeof value !== 'object') return String(value);
  const { code, values, text } = value;
  return translateMessage({ message: text, messageCode: code, messageValues: values }, templateOf);
}

/** What forms call a field; of one within others its path follows. */
function fieldLabel(path: string, templateOf: TemplateOf): string {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name));
  const label = templateOf(`fields.${names.at(-1)}`);
  if (label === undefined) return path;
  return path.includes('.') ? `${label} (${path})` : label;
}
