import { cleanup, render, screen, waitFor } from '@testing-library/react';
import {
  codedText,
  type Locale,
  listCases,
  readStoredText,
  say,
  sayDiagnostic,
  sayOfField,
  storedText,
} from '@tyrian/contract';
import { diagnoseKql, eventSchema } from '@tyrian/kql';
import { afterEach, expect, it, vi } from 'vitest';
import { call } from '../lib/call.ts';
import { activateLocale } from '../lib/i18n.ts';
import { noticeList, notifyFailure } from '../lib/notify.ts';
import { serverText } from '../lib/server-text.ts';
import { changeSettings } from '../lib/settings.ts';
import { clearStored } from '../lib/storage.ts';
import { Refusal, stubCalls } from '../testing/stub-calls.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Providers } from './providers.tsx';

// What the server said, in the reader's language.

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
  await activateLocale('en-US');
});

async function inLocale(locale: Locale): Promise<void> {
  changeSettings({ locale });
  await activateLocale(locale);
}

/** What a call of a page is refused with. */
async function refusedWith(refusal: Refusal): Promise<unknown> {
  stubCalls([[listCases, () => refusal]]);
  return call(listCases, { params: { clusterId: 'c1' }, input: { scope_id: 's1' } }).catch((error) => error);
}

it('[R-C39] a refused call is told in French: by a toast and in the place of the page', async () => {
  await inLocale('fr-FR');
  const error = await refusedWith(Refusal.of(409, say('cases.closed')));
  const french = 'Le dossier est clos ; rouvrez-le pour le modifier';
  notifyFailure(error);
  expect(noticeList()[0]?.text).toBe(french);
  render(
    <Providers>
      <ErrorPanel error={error} />
    </Providers>,
  );
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(french));
});

it('[R-C39] values, parts and the names of fields are in the language of the sentence', async () => {
  await activateLocale('ru-RU');
  const moved = say('cases.transition', { from: say('words.statusClosed'), to: say('words.statusOnHold') });
  expect(serverText(codedText(moved))).toBe(
    'Инцидент нельзя перевести из статуса «Закрыт» в «Приостановлен»',
  );
  const field = sayOfField('new_password', say('reasons.tooShort', { least: 8 }));
  expect(serverText(codedText(field))).toBe('Новый пароль: не короче 8 символов');
  await activateLocale('zh-CN');
  const within = sayOfField('addfilters.0.filter_value', say('reasons.missing'));
  expect(serverText(codedText(within))).toBe('筛选值 (addfilters.0.filter_value)：为必填项');
  const hostile = say('tokens.exists', { name: '{{name}} $t(app:close) <b>' });
  expect(serverText(codedText(hostile))).toContain('{{name}} $t(app:close) <b>');
});

/** The first mistake of a query, as a part of a message. */
function mistakeIn(query: string) {
  const [found] = diagnoseKql(query, eventSchema([]), new Date(0));
  if (!found) throw new Error('the query has no mistake');
  return sayDiagnostic(found);
}

it('[R-C39] what the compiler says within a message is told in French: in a toast and in a stored failure', async () => {
  await inLocale('fr-FR');
  const refusal = say('search.diagnostic', { diagnostic: mistakeIn('Nope | take 1') });
  notifyFailure(await refusedWith(Refusal.of(422, refusal)));
  expect(noticeList().at(-1)?.text).toBe('Table inconnue Nope');
  const failed = say('rules.doesNotCompile', { diagnostic: mistakeIn('let a = 1; let a = 2; print a') });
  expect(serverText(readStoredText(storedText(failed)))).toBe(
    'La requête ne se compile pas : Une variable nommée « a » est déjà déclarée.',
  );
  await activateLocale('ru-RU');
  expect(serverText(codedText(failed))).not.toMatch(/[a-z]{4}/);
});

it('[R-C39] English is the server’s own, and so is a sentence with a code of a newer server', async () => {
  await activateLocale('en-US');
  expect(serverText(codedText(say('cases.closed')))).toBe('The case is closed; reopen it to change it');
  await activateLocale('fr-FR');
  const newer = { message: 'The moon is full', messageCode: 'moon.full', messageValues: {} };
  expect(serverText(newer)).toBe('The moon is full');
  const error = await refusedWith(new Refusal(409, 'failed', 'Without a code'));
  expect(serverText(error as { message: string })).toBe('Without a code');
});
