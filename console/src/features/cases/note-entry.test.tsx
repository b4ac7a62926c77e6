import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { codedText, say } from '@tyrian/contract';
import { afterEach, expect, it } from 'vitest';
import { activateLocale } from '../../lib/i18n.ts';
import { NoteEntry } from './note-entry.tsx';

afterEach(async () => {
  cleanup();
  await activateLocale('en-US');
});

const changed = codedText(
  say('notes.severityChanged', {
    from: say('words.severityLow'),
    to: say('words.severityHigh'),
    name: 'Ann',
  }),
);

it.each([
  ['en-US', 'Severity changed from Low to High by Ann'],
  ['fr-FR', 'Gravité changée de « Faible » à « Élevée » par Ann'],
  ['ru-RU', 'Важность изменена с «Низкая» на «Высокая», автор: Ann'],
  ['zh-CN', 'Ann 将严重性从“低”改为“高”'],
] as const)('[R-C39] a note of the system is read in %s', async (locale, text) => {
  const { message, ...code } = changed;
  const note = { note_id: '1', author: 'System', cnam_time: 1, tag_list: [], kind: 'system' } as const;
  await activateLocale(locale);
  render(
    <MantineProvider env="test">
      <NoteEntry note={{ ...note, text: message, ...code }} />
    </MantineProvider>,
  );
  expect(screen.getByText(text)).toBeTruthy();
});
