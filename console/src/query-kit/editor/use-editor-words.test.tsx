// @vitest-environment jsdom

import { cleanup, waitFor } from '@testing-library/react';
import { LOCALES } from '@tyrian/contract';
import { eventSchema, hoverKql } from '@tyrian/kql';
import { afterEach, expect, it, vi } from 'vitest';
import { changeSettings } from '../../lib/settings.ts';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { teachKqlWords } from './kql-worker-client.ts';
import { editorWords, useEditorWords } from './use-editor-words.ts';

vi.mock('./kql-worker-client.ts', () => ({ teachKqlWords: vi.fn() }));

afterEach(() => {
  cleanup();
  clearStored();
});

function Editor() {
  useEditorWords();
  return null;
}

it('[R-D] the language worker is told the words of the console, and English is its own', async () => {
  expect(await editorWords('en-US')).toBeNull();
  changeSettings({ locale: 'ru-RU' });
  await renderScreen(<Editor />);
  const russian = await editorWords('ru-RU');
  await waitFor(() => expect(teachKqlWords).toHaveBeenLastCalledWith(russian));
  expect(russian?.columns.SrcPortNumber).toBe('Порт источника');
});

it.each(LOCALES.filter((locale) => locale !== 'en-US'))(
  '[R-D] hover says nothing in English in %s',
  async (locale) => {
    const words = (await editorWords(locale)) ?? undefined;
    const said = (text: string, at: number) => [
      hoverKql(text, at, eventSchema([]), undefined, words),
      hoverKql(text, at, eventSchema([])),
    ];
    for (const text of ['DnsQuery', 'tolower(DnsQuery)', 'SigninLogs', 'Authentication']) {
      const [own, english] = said(`print x = 1 | where ${text}`, 21);
      expect(own).not.toBeNull();
      expect(own).not.toBe(english);
    }
  },
);
