import { type CodedText, type Locale, translateMessage } from '@tyrian/contract';
import french from '@tyrian/contract/locales/messages.fr-FR.json' with { type: 'json' };
import russian from '@tyrian/contract/locales/messages.ru-RU.json' with { type: 'json' };
import chinese from '@tyrian/contract/locales/messages.zh-CN.json' with { type: 'json' };

// What leaves the server in words, such as a mail: screens translate by themselves.

type Templates = Readonly<Record<string, Readonly<Record<string, string>>>>;

const TEMPLATES: Readonly<Record<Exclude<Locale, 'en-US'>, Templates>> = {
  'fr-FR': french,
  'ru-RU': russian,
  'zh-CN': chinese,
};

/** The sentence in the language of its reader. What a language has no words for stays English. */
export function textInLocale(locale: Locale, said: CodedText): string {
  if (locale === 'en-US') return said.message;
  return translateMessage(said, (code) => {
    const [area = '', name = ''] = code.split('.');
    return TEMPLATES[locale][area]?.[name];
  });
}
