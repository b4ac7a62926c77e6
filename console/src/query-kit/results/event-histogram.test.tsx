import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { EventHistogram } from './event-histogram.tsx';

// Ten bars of a minute over a hundred pixels each; the fourth is empty.

const MINUTE = 60_000;
const TIMES = Array.from({ length: 10 }, (_, index) => index * MINUTE);
const COUNTS = TIMES.map((_, index) => (index === 3 ? 0 : index + 1));
const onNarrow = vi.fn();
const onWiden = vi.fn();

async function plot() {
  await renderScreen(
    <EventHistogram
      times={TIMES}
      bucketMs={MINUTE}
      series={[{ value: 'Dns', counts: COUNTS }]}
      range={{ from: 0, to: 10 * MINUTE }}
      zone="UTC"
      locale="en-US"
      onNarrow={onNarrow}
      onWiden={onWiden}
    />,
  );
  const bars = screen.getByRole('slider');
  bars.getBoundingClientRect = () => ({ left: 0, width: 1000, top: 0, height: 96 }) as DOMRect;
  bars.setPointerCapture = () => undefined;
  return bars;
}

function click(bars: HTMLElement, clientX: number, pointerType = 'mouse') {
  const at = { clientX, button: 0, pointerId: 1, pointerType };
  fireEvent.pointerDown(bars, at);
  fireEvent.pointerUp(bars, at);
}

const settle = () => act(() => vi.runAllTimers());

beforeEach(() => {
  // jsdom knows no pointer events: those of the mouse, with what sets them apart.
  vi.stubGlobal(
    'PointerEvent',
    class extends MouseEvent {
      readonly pointerType: string;
      readonly pointerId = 1;
      constructor(type: string, init: PointerEventInit = {}) {
        super(type, init);
        this.pointerType = init.pointerType ?? 'mouse';
      }
    },
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  vi.unstubAllGlobals();
  onNarrow.mockClear();
  onWiden.mockClear();
});

describe('bars of events over time', () => {
  it('[R-C4] have their figures in a box that cuts them off, so that the page does not grow', async () => {
    await plot();
    const table = screen.getByRole('table');
    expect(table.className).toBe('');
    expect(table.parentElement?.className).toBe('visually-hidden');
  });

  it('[R-C15] a click on one narrows the range to it, and one on an empty place does nothing', async () => {
    const bars = await plot();
    click(bars, 250);
    settle();
    expect(onNarrow.mock.calls).toEqual([[2 * MINUTE, 3 * MINUTE]]);
    click(bars, 350);
    settle();
    expect(onNarrow).toHaveBeenCalledTimes(1);
  });

  it('[R-C15] dragging narrows at once, two clicks widen and narrow nothing, which one does', async () => {
    const bars = await plot();
    fireEvent.pointerDown(bars, { clientX: 150, button: 0 });
    fireEvent.pointerMove(bars, { clientX: 450 });
    fireEvent.pointerUp(bars, { clientX: 450 });
    expect(onNarrow.mock.calls).toEqual([[MINUTE, 5 * MINUTE]]);
    onNarrow.mockClear();
    click(bars, 250);
    click(bars, 250);
    fireEvent.doubleClick(bars);
    settle();
    expect(onWiden).toHaveBeenCalledTimes(1);
    expect(onNarrow).not.toHaveBeenCalled();
    click(bars, 250);
    settle();
    expect(onNarrow).toHaveBeenCalledTimes(1);
  });

  it('[R-C15] a finger sees what a bar holds before it chooses it', async () => {
    const bars = await plot();
    click(bars, 250, 'touch');
    settle();
    expect(onNarrow).not.toHaveBeenCalled();
    expect(screen.getByText('3 events')).toBeTruthy();
    click(bars, 250, 'touch');
    settle();
    expect(onNarrow).toHaveBeenCalledTimes(1);
  });
});
