import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { RowDetail } from './row-detail.tsx';

afterEach(cleanup);

const COLUMNS = [
  { name: 'Stream', type: 'string' as const },
  { name: 'SignalId', type: 'string' as const },
];
const show = (signalId: string) =>
  renderScreen(<RowDetail columns={COLUMNS} row={['Signals', signalId]} zone="UTC" onMenu={vi.fn()} />, {
    access: sampleAccess({ role: 'Security Analyst' }),
  });

describe('a row of a result', () => {
  it('[R-C21] leads from the event of a signal to the signal, and from no other event', async () => {
    await show('sig 1');
    const link = screen.getByRole('link', { name: 'Open the signal' });
    expect(link.getAttribute('href')).toBe('/c1/s1/incident/signals?view=all&signal=sig%201');
    cleanup();
    await show('');
    expect(screen.queryByRole('link')).toBeNull();
  });
});
