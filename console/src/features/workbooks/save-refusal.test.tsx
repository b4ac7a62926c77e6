import { cleanup, screen } from '@testing-library/react';
import { addWorkbook, codedText, say, sayAgain, sayDiagnostic } from '@tyrian/contract';
import { diagnoseKql, eventSchema } from '@tyrian/kql';
import { afterEach, expect, it, vi } from 'vitest';
import { type CallError, call } from '../../lib/call.ts';
import { activateLocale } from '../../lib/i18n.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { SaveRefusal } from './save-refusal.tsx';

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await activateLocale('en-US');
});

/** What the server says of a query, as a problem of its draft. */
const problemsOf = (query: string) =>
  diagnoseKql(query, eventSchema([]), new Date(0)).map((found) => {
    const said = sayDiagnostic(found);
    if (typeof said !== 'object') throw new Error('the compiler said something without a sentence');
    return codedText(said);
  });

it('[R-C39] each problem that keeps a draft from being saved is told in French, the compiler’s too', async () => {
  const problems = [...problemsOf('Nope | take 1'), codedText(say('rules.noEntity'))];
  const [first = { message: '' }] = problems;
  stubCalls([[addWorkbook, () => Refusal.of(422, sayAgain(first), { problems })]]);
  const input = { scope_id: 's1', properties: {} } as never;
  const error = await call(addWorkbook, { params: { clusterId: 'c1' }, input }).catch(
    (refused) => refused as CallError,
  );
  await renderScreen(<SaveRefusal error={error as CallError} />);
  await activateLocale('fr-FR');
  const text = (await screen.findByRole('alert')).textContent;
  expect(text).toBe('Table inconnue NopeUn signal demande au moins un suspect ou une cible');
});
