import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noticeList } from '../lib/notify.ts';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { CopyButton } from './copy-button.tsx';

afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

describe('copying', () => {
  it("[S5-19] says 'Copied to clipboard'", async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await renderScreen(<CopyButton value="10.0.0.1" />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Copied to clipboard')).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith('10.0.0.1');
    expect(noticeList()[0]).toMatchObject({ tone: 'info', title: 'Copied to clipboard' });
  });

  it('says so when the browser refuses', async () => {
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: () => Promise.reject(new Error('no')) },
    });
    await renderScreen(<CopyButton value="x" />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Could not copy to the clipboard')).toBeTruthy();
  });
});
