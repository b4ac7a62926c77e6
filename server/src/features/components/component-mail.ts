import { type ComponentItem, codedText, type Locale, say } from '@tyrian/contract';
import { textInLocale } from '../../platform/text-in-locale.ts';

const MAX_NAME = 200;

/** The mail about a component's new state, in the language of its reader. Plain text: state, and why. */
export function componentMail(
  item: Pick<ComponentItem, 'name' | 'state' | 'detail' | 'messageCode' | 'messageValues'>,
  locale: Locale,
): { subject: string; text: string } {
  const code = `components.${item.state}` as const;
  // A name that somebody gave stays one line.
  const name = item.name.replace(/\s+/g, ' ').slice(0, MAX_NAME);
  const state = textInLocale(locale, codedText(say('mail.componentState', { name, state: say(code) })));
  const why = item.messageCode === code ? '' : textInLocale(locale, { ...item, message: item.detail });
  return {
    subject: `Tyrian: ${state}`,
    text: [state, ...(why ? [why] : []), '— Tyrian'].join('\n\n').concat('\n'),
  };
}
