// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { activateLocale } from '../../lib/i18n.ts';
import { changeSettings } from '../../lib/settings.ts';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { DataModelPage } from './data-model-page.tsx';

afterEach(async () => {
  cleanup();
  clearStored();
  await activateLocale('en-US');
});

async function open(address: string): Promise<void> {
  stubCalls([]);
  await renderScreen(<DataModelPage />, { access: sampleAccess(), url: address });
}

it('[R-D] describes columns in the language of the console, and finds them by those words', async () => {
  changeSettings({ locale: 'fr-FR' });
  await open('/?q=nom de domaine demandé');
  await activateLocale('fr-FR');
  expect(await screen.findByText('Nom de domaine demandé')).toBeTruthy();
  expect(screen.queryByText('SrcPortNumber')).toBeNull();
});
