import { cleanup, screen } from '@testing-library/react';
import { platformState } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { APP_VERSION } from '../lib/app-version.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess } from '../testing/sample-session.ts';
import { stubCalls } from '../testing/stub-calls.ts';
import { AboutDialog } from './about-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('about the product', () => {
  it('[R-C38] says which version is that of the console and which that of the server', async () => {
    stubCalls([[platformState, () => ({ version: '0.1.0' })]]);
    await renderScreen(<AboutDialog onClose={vi.fn()} />, { access: sampleAccess() });
    const said = async (version: string) => {
      const value = await screen.findByText(version);
      return value.closest('dd')?.previousElementSibling?.textContent;
    };
    expect(await said('0.1.0')).toBe('Server version');
    expect(await said(APP_VERSION)).toBe('Console version');
  });
});
