import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeSettings } from '../lib/settings.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { AbsoluteRangeForm } from './absolute-range-form.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 20, 12), toFake: ['Date'] });
  changeSettings({ timeZone: 'UTC' });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const day = (number: number) => screen.getByRole('button', { name: `${number} March 2026` });
const chosen = () =>
  [...document.querySelectorAll('[data-in-range], [data-selected]')].map((one) => Number(one.textContent));

describe('the calendar of a time range', () => {
  it('[R-C12] shows the range that is asked for, and today', async () => {
    await renderScreen(<AbsoluteRangeForm value={{ from: 'now-3d', to: 'now' }} onApply={() => undefined} />);
    expect(chosen()).toEqual([17, 18, 19, 20]);
    expect(day(20).getAttribute('aria-current')).toBe('date');
  });

  it('[R-C12] shows an absolute range of another month, whose last day is in it', async () => {
    const value = { from: '2026-01-05T00:00:00Z', to: '2026-01-07T00:00:00Z' };
    await renderScreen(<AbsoluteRangeForm value={value} onApply={() => undefined} />);
    expect(chosen()).toEqual([5, 6]);
    expect(screen.getByText('January 2026')).toBeTruthy();
  });

  it('[R-C12] shows what is typed, and what two clicks choose', async () => {
    const onApply = vi.fn();
    await renderScreen(<AbsoluteRangeForm value={{ from: 'now-1h', to: 'now' }} onApply={onApply} />);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-18 10:00' } });
    expect(chosen()).toEqual([18, 19, 20]);
    fireEvent.click(day(3));
    fireEvent.click(day(5));
    expect(chosen()).toEqual([3, 4, 5]);
    fireEvent.click(screen.getByRole('button', { name: 'Apply range' }));
    expect(onApply).toHaveBeenCalledWith({
      from: '2026-03-03T00:00:00.000Z',
      to: '2026-03-05T23:59:59.999Z',
    });
  });
});
