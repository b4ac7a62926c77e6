import type { Locale } from '@tyrian/contract';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

// Every text stands in a file `<namespace>.<locale>.json` beside the feature that shows it; what the server says, beside
// its English in the contract, and what columns, streams and tables are, in the catalog.
// Only the files of the active locale are loaded.

type Texts = Record<string, unknown>;

const TEXTS = import.meta.glob<Texts>(
  [
    '../app/locales/*.json',
    '../ui/locales/*.json',
    '../features/**/locales/*.json',
    '../query-kit/**/locales/*.json',
    '../../../packages/contract/locales/*.json',
    '../../../packages/catalog/locales/*.json',
  ],
  {
    import: 'default',
  },
);

const DAYJS_LOCALES: Record<Locale, { name: string; load: () => Promise<unknown> }> = {
  'en-US': { name: 'en', load: async () => undefined },
  'fr-FR': { name: 'fr', load: () => import('dayjs/locale/fr.js') },
  'ru-RU': { name: 'ru', load: () => import('dayjs/locale/ru.js') },
  'zh-CN': { name: 'zh-cn', load: () => import('dayjs/locale/zh-cn.js') },
};

/** What dayjs and the date pickers call this locale. */
export function dayjsLocale(locale: Locale): string {
  return DAYJS_LOCALES[locale].name;
}

/** Loads the texts of the locale and makes it the active one. */
export async function activateLocale(locale: Locale): Promise<void> {
  const bundles = await Promise.all(
    Object.entries(TEXTS)
      .filter(([path]) => path.endsWith(`.${locale}.json`))
      .map(async ([path, load]) => [namespaceOf(path), await load()] as const),
  );
  if (!i18next.isInitialized) await initialise(locale);
  for (const [namespace, texts] of bundles) i18next.addResourceBundle(locale, namespace, texts);
  await DAYJS_LOCALES[locale].load();
  if (locale === 'zh-CN') await import('./chinese-fonts.ts');
  dayjs.locale(dayjsLocale(locale));
  document.documentElement.lang = locale;
  await i18next.changeLanguage(locale);
}

async function initialise(locale: Locale): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    resources: {},
    defaultNS: 'app',
    keySeparator: '.',
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
}

function namespaceOf(path: string): string {
  return /([^/]+)\.[a-z]{2}-[A-Z]{2}\.json$/.exec(path)?.[1] ?? path;
}
