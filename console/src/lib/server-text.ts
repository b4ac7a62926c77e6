import type { CodedText, MessageValue } from '@tyrian/contract';
import i18next from 'i18next';

// What the server said, in the reader's language: by its code. English is the server's own sentence, so only the other
// locales have a file of them, and a code that this console does not know yet stays English.

/** The sentence to show; empty when the server said nothing. */
export function serverText({ message, messageCode, messageValues }: CodedText): string {
  return messageCode === undefined ? message : translated(messageCode, messageValues ?? {}, message);
}

function translated(code: string, values: Readonly<Record<string, MessageValue>>, english: string): string {
  const key = `messages:${code}`;
  if (!i18next.exists(key)) return english;
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? translated(value.code, value.values, value.text) : value,
    ]),
  );
  if (code === 'input.field') shown.field = fieldLabel(String(values.field));
  return i18next.t(key, { replace: shown });
}

/** What forms call a field; of one within others its path follows. */
function fieldLabel(path: string): string {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name));
  const key = `messages:fields.${names.at(-1)}`;
  if (!i18next.exists(key)) return path;
  return path.includes('.') ? `${i18next.t(key)} (${path})` : i18next.t(key);
}
