import { cleanup, screen } from '@testing-library/react';
import { searchDiagnosticSchema } from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { diagnoseKql, eventSchema } from '@tyrian/kql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '../../lib/i18n.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { DiagnosticList } from './diagnostic-list.tsx';
import { diagnosticText, mistakeText } from './diagnostic-text.ts';
import { markersOf } from './kql-editor-services.ts';

afterEach(async () => {
  cleanup();
  await activateLocale('en-US');
});

const schema = eventSchema([]);
const found = (query: string): readonly Diagnostic[] => diagnoseKql(query, schema, new Date(0));

async function show(query: string, diagnostics = found(query)): Promise<string> {
  await renderScreen(<DiagnosticList text={query} diagnostics={diagnostics} onGo={vi.fn()} />);
  await activateLocale('fr-FR');
  return (await screen.findByRole('list', { name: 'Problèmes' })).textContent ?? '';
}

describe('mistakes of a query in the language of the console', () => {
  it('[R-C39] says in French that a column is unknown, and what was probably meant', async () => {
    const text = await show('Dns | where DvcHostnam == "x"');
    expect(text).toContain('Aucun événement n’a eu de champ nommé DvcHostnam');
    expect(text).toContain('Vouliez-vous dire DvcHostname');
  });

  it('[R-C39] says in French what the compiler refuses, with the reason and the way out', async () => {
    const text = await show('print x=1 | evaluate http_request("https://x.example/")');
    expect(text).toContain(
      'Le plug-in http_request n’est pas autorisé : une requête ne peut pas lire hors de son locataire',
    );
    expect(text).toContain('Importez les données comme événements');
  });

  it('[R-C39] says in French what the language service says in English, by its code', async () => {
    expect(await show('let a = 1; let a = 2; print a')).toContain(
      'Une variable nommée « a » est déjà déclarée.',
    );
  });

  it('[R-C39] says in French what the server found, as the contract lets it through', async () => {
    const query = 'Nope | take 1';
    const sent: unknown = JSON.parse(JSON.stringify(found(query)));
    const taken = searchDiagnosticSchema.array().parse(sent);
    expect(await show(query, taken)).toContain('Table inconnue Nope');
    expect(mistakeText(taken)).toBe('Table inconnue Nope');
  });

  it('[R-C39] marks the editor in the same words', async () => {
    await show('Nope | take 1');
    const mending = { name: () => '', run: vi.fn() };
    const [marker] = markersOf(found('Nope | take 1'), 13, mending);
    expect(marker?.message).toContain('Table inconnue Nope');
  });

  it.each([
    ['ru-RU', 'Неизвестная таблица Nope'],
    ['zh-CN', '未知的表 Nope'],
    ['en-US', 'Unknown table Nope'],
  ] as const)('[R-C39] speaks %s', async (locale, message) => {
    await activateLocale(locale);
    expect(mistakeText(found('Nope | take 1'))).toBe(message);
  });

  it('[R-C39] keeps the English of what it does not know, and of each part by itself', async () => {
    await activateLocale('fr-FR');
    const english = { message: 'Something new', hint: 'Split it into several queries' };
    expect(diagnosticText({ ...english, text: { key: 'notYetKnown' }, hintText: { key: 'split' } })).toEqual({
      message: 'Something new',
      hint: 'Divisez-la en plusieurs requêtes',
    });
    expect(diagnosticText(english)).toEqual(english);
  });
});
