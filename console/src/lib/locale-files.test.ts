// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOG_TEXTS } from '@tyrian/catalog';
import { LOCALES, type Locale, MESSAGE_TEMPLATES } from '@tyrian/contract';
import { EDITOR_TEXTS } from '@tyrian/kql';
import { describe, expect, it } from 'vitest';

// Every text exists in the four locales, with the plural forms of its language, and every key that the code names exists.

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const PLURALS: Readonly<Record<Locale, readonly string[]>> = {
  'en-US': ['one', 'other'],
  'fr-FR': ['one', 'many', 'other'],
  'ru-RU': ['one', 'few', 'many', 'other'],
  'zh-CN': ['other'],
};
const SUFFIX = /_(zero|one|two|few|many|other)$/;

/** What the server says: its English stands in the contract, and its answers carry it. */
const SERVER = '../../packages/contract/locales/messages';
/** What columns, streams and tables are, and what the editor says of functions and operators. */
const CATALOG = '../../packages/catalog/locales/catalog';
const EDITOR = '../../packages/kql/locales/editor';

/** Texts of packages: their English stands in code. */
const PACKAGES: ReadonlyMap<string, object> = new Map<string, object>([
  [SERVER, MESSAGE_TEMPLATES],
  [CATALOG, CATALOG_TEXTS],
  [EDITOR, EDITOR_TEXTS],
]);

/** Texts of the console: of their keys some have plural forms. */
const OWN = FILES.filter((file) => file.endsWith('.en-US.json')).map((file) =>
  file.replace('.en-US.json', ''),
);
const namespaces = [...OWN, ...PACKAGES.keys()];

function textsOf(namespace: string, locale: Locale): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, at: string) => {
    if (typeof value === 'string') texts.set(at, value);
    else for (const [key, inner] of Object.entries(value ?? {})) walk(inner, at ? `${at}.${key}` : key);
  };
  const english = locale === 'en-US' ? PACKAGES.get(namespace) : undefined;
  const file = path.join(SOURCE, `${namespace}.${locale}.json`);
  walk(english ?? JSON.parse(readFileSync(file, 'utf8')), '');
  return texts;
}

/** Keys without their plural suffix. */
function baseKeys(texts: ReadonlyMap<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => key.replace(SUFFIX, '')))].sort();
}

const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();

describe.each(OWN)('texts of %s', (namespace) => {
  const english = textsOf(namespace, 'en-US');

  it.each(LOCALES)('[S9-10] are complete in %s', (locale) => {
    expect(baseKeys(textsOf(namespace, locale))).toEqual(baseKeys(english));
  });

  it.each(LOCALES)('have every plural form of %s', (locale) => {
    const texts = textsOf(namespace, locale);
    const counted = new Set(
      [...texts.keys()].filter((key) => SUFFIX.test(key)).map((key) => key.replace(SUFFIX, '')),
    );
    for (const key of counted) {
      const forms = [...texts.keys()].filter((one) => SUFFIX.test(one) && one.replace(SUFFIX, '') === key);
      expect(forms.map((one) => one.slice(key.length + 1)).sort(), key).toEqual([...PLURALS[locale]].sort());
    }
  });

  it.each(LOCALES)('name in %s the same values as in English', (locale) => {
    for (const [key, text] of textsOf(namespace, locale)) {
      const base = key.replace(SUFFIX, '');
      const model = english.get(`${base}_other`) ?? english.get(key);
      const named = placeholders(model ?? '');
      // A singular may say "the last hour" without its figure; no form may name what is not given.
      if (SUFFIX.test(key)) expect(named, key).toEqual(expect.arrayContaining(placeholders(text)));
      else expect(placeholders(text), key).toEqual(named);
    }
  });
});

/** What texts said before docs/glossary.md settled the words of the product. */
const RETIRED: readonly RegExp[] = [
  /\bmake (the token|folder)\b/i,
  /\bcopy to change\b/i,
  /\btak(e|ing|en) (it |the \w+ )?(out|off|back)\b/i,
  /\bby hand\b/i,
  /\banew\b/i,
  /\bfor good\b/i,
  /\bbegin again\b/i,
  /\bof which\b|\bof these run\b/i,
  /\b(is|event) of \{\{time\}\}/,
  /\bstands?\b/i,
  /\bNothing (here )?is called\b/i,
  /\bNothing has this\b|\bhas this in its name\b/i,
  /^Remarks\b|\bmatch by now\b|\bNot a range\b/,
  /\bWhat it is for\b|^What changed$|\bFor whoever\b/,
  /\bKind of entity\b|\bField that names it\b|^Who did it\b|^To whom\b/,
  /\bFailures in a row\b|\bBehind by\b|\bwas so already\b|\bwere so already\b/,
  /\bHow did it end\b|\bWho works on it\b/,
  /\bOpen software\b|\bCountries of addresses\b/,
  /\bAgreement open\b|\bLast heard\b|\bof its own\b/,
  /\bAddress of ClickHouse\b|^Empty\b|; empty\b/,
  /\bgoes out with\b|\bof its own making\b|\bcounts as degraded from\b|^From its limit\b/i,
  /\bTo review\b|^Pending$|\btagged? (as )?false positive\b/i,
  /\bto review\b/,
  /\bLogout$|\bSign out\b/,
  /\b(Change Password|Manage Tokens|Data Model|Mission Control)\b/,
  /\bWhole:|^People\b|\bpersons?\b|\bSecond step\b/i,
];

/** Labels with a name in them, and a word of the specification. */
const NAMES = /^(About Tyrian|User Invalid)$/;

describe.each(namespaces)('English words of %s', (namespace) => {
  const english = [...textsOf(namespace, 'en-US')];

  it('[R-D] say nothing in the retired words', () => {
    const found = english.filter(([, text]) => RETIRED.some((retired) => retired.test(text)));
    expect(found).toEqual([]);
  });

  it('[R-D] are in sentence case: no label capitalizes each of its words', () => {
    const labels = english.filter(
      ([, text]) => /^[A-Z][a-z]+( [A-Z][a-z]+)+$/.test(text) && !NAMES.test(text),
    );
    expect(labels).toEqual([]);
  });
});

/** What is the same word in English and in French. */
const SAME_IN_FRENCH: Readonly<Record<string, readonly string[]>> = {
  [SERVER]: [
    ...['Application', 'Code', 'Description', 'Note', 'Note', 'Port', 'minute'],
    'version {{version}}',
  ],
  [CATALOG]: [],
  [EDITOR]: [],
};

describe.each([...PACKAGES.keys()])('what the package says: %s', (namespace) => {
  const english = textsOf(namespace, 'en-US');
  const translations = LOCALES.filter((locale) => locale !== 'en-US');
  const bare = (text: string) => text.replace(/\{\{\w+\}\}/g, '');

  it.each(translations)('[R-C39] has in %s a text for every name, and none that is left over', (locale) => {
    const texts = textsOf(namespace, locale);
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(translations)('[R-C39] names in %s the values of each text, and no others', (locale) => {
    for (const [code, text] of textsOf(namespace, locale)) {
      expect(placeholders(text), code).toEqual(placeholders(english.get(code) ?? ''));
    }
  });

  it('[R-C39] is in the letters of the language', () => {
    const letters = { 'ru-RU': /\p{Script=Cyrillic}/u, 'zh-CN': /\p{Script=Han}/u } as const;
    for (const locale of ['ru-RU', 'zh-CN'] as const) {
      const foreign = [...textsOf(namespace, locale)].filter(
        ([, text]) => /\p{L}/u.test(bare(text)) && !letters[locale].test(text),
      );
      expect(foreign, locale).toEqual([]);
    }
  });

  it('[R-C39] is not left in English: what is the same in French is the same word', () => {
    const same = [...textsOf(namespace, 'fr-FR')].filter(
      ([code, text]) => /\p{L}/u.test(bare(text)) && text === english.get(code),
    );
    expect(same.map(([, text]) => text).sort()).toEqual(SAME_IN_FRENCH[namespace]);
  });
});

describe('what the server says', () => {
  it('[R-C39] is shown through serverText alone: no screen shows the English of a refusal', () => {
    const shown = FILES.filter(
      (file) => /^(app|features|ui)\/.*\.tsx?$/.test(file) && !file.includes('.test.'),
    )
      .flatMap((file) =>
        readFileSync(path.join(SOURCE, file), 'utf8')
          .split('\n')
          .map((line) => [file, line]),
      )
      .filter(([, line]) => /\b(error|failure|refused|reason)\??\.message\b/.test(line ?? ''))
      // A fault of our own code, a worker's error, and what is compared and not shown.
      .filter(
        ([file, line]) => !/kql-worker/.test(file ?? '') && !/message !== error\.message/.test(line ?? ''),
      );
    expect(shown).toEqual([]);
  });
});

describe('keys that the code names', () => {
  const known = new Map(namespaces.map((file) => [path.basename(file), textsOf(file, 'en-US')]));
  const sources = FILES.filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'));

  it('exist', () => {
    const missing: string[] = [];
    for (const file of sources) {
      const text = readFileSync(path.join(SOURCE, file), 'utf8');
      const own = /useTranslation\('([\w-]+)'\)/.exec(text)?.[1];
      for (const [, key] of text.matchAll(/\bt\('([\w-]+(?:[:.][\w.-]+)*)'/g)) {
        const [first, rest] = key?.includes(':') ? key.split(':') : [own, key];
        const texts = first ? known.get(first) : undefined;
        if (!texts || !rest) continue;
        const isThere = [...texts.keys()].some((one) => one.replace(SUFFIX, '') === rest || one === rest);
        if (!isThere) missing.push(`${file}: ${key}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

describe('the place where events are kept', () => {
  const CLUSTER: Readonly<Record<Locale, RegExp>> = {
    'en-US': /cluster/i,
    'fr-FR': /cluster|grappe/i,
    'ru-RU': /кластер/i,
    'zh-CN': /集群|群集/,
  };
  // The editor speaks of the clusters that a query of KQL may name.
  const SPOKEN = OWN.filter((namespace) => !namespace.includes('query-kit/'));

  it.each(LOCALES)('[R-C42] is a tenant in %s, and a cluster in no text', (locale) => {
    const found = SPOKEN.flatMap((namespace) =>
      [...textsOf(namespace, locale)]
        .filter(([, text]) => CLUSTER[locale].test(text.replace(/\{\{\w+\}\}/g, '')))
        .map(([key]) => `${namespace} ${key}`),
    );
    expect(found).toEqual([]);
  });
});
