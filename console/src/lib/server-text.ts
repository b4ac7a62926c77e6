import { type CodedText, KQL_AREA, translateMessage } from '@tyrian/contract';
import i18next from 'i18next';

// What the server said, in the reader's language: by its code. English is the server's own sentence, so only the other
// locales have files of them, and a code that this console does not know yet stays English. What the compiler says
// stands in files of its own, `kql.<locale>.json`.

/** The sentence to show; empty when the server said nothing. */
export function serverText(said: CodedText): string {
  return translateMessage(said, (code) =>
    code.startsWith(KQL_AREA) ? templateIn('kql', code.slice(KQL_AREA.length)) : templateIn('messages', code),
  );
}

/** The template of a key in the active language; undefined where that has none. */
export function templateIn(namespace: 'messages' | 'kql', key: string): string | undefined {
  if (!i18next.isInitialized) return undefined;
  const template: unknown = i18next.getResource(i18next.language, namespace, key);
  return typeof template === 'string' ? template : undefined;
}
