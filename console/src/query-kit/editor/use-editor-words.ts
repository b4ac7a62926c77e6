import type { CatalogTexts } from '@tyrian/catalog';
import type { Locale } from '@tyrian/contract';
import type { EditorTexts, EditorWords } from '@tyrian/kql';
import { useEffect } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { teachKqlWords } from './kql-worker-client.ts';

// The words of completion, hover and signature help. English is the worker's own; the files of another language are
// loaded by the first editor.

const EDITOR = import.meta.glob<EditorTexts>('../../../../packages/kql/locales/*.json', {
  import: 'default',
});
const CATALOG = import.meta.glob<CatalogTexts>('../../../../packages/catalog/locales/*.json', {
  import: 'default',
});

/** The words of a language; null for English. */
export async function editorWords(locale: Locale): Promise<EditorWords | null> {
  const [editor, catalog] = await Promise.all([fileOf(EDITOR, locale), fileOf(CATALOG, locale)]);
  return editor && catalog ? { ...editor, ...catalog } : null;
}

async function fileOf<T>(files: Record<string, () => Promise<T>>, locale: Locale): Promise<T | null> {
  const path = Object.keys(files).find((each) => each.endsWith(`.${locale}.json`));
  return (path ? await files[path]?.() : null) ?? null;
}

/** Keeps the language worker in the language of the console. Without the file it goes on in the words it has. */
export function useEditorWords(): void {
  const { locale } = useSettings();
  useEffect(() => {
    let isLate = false;
    void editorWords(locale)
      .then((words) => {
        if (!isLate) teachKqlWords(words);
      })
      .catch(() => undefined);
    return () => {
      isLate = true;
    };
  }, [locale]);
}
