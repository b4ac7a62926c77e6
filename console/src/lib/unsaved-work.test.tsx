import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import {
  discardUnsavedWork,
  hasUnsavedWork,
  mayLeavePage,
  useAskToLeave,
  useUnsavedWork,
} from './unsaved-work.ts';

afterEach(discardUnsavedWork);

function Editor({ isDirty, ask }: { readonly isDirty: boolean; readonly ask: () => Promise<boolean> }) {
  useAskToLeave(ask);
  useUnsavedWork(isDirty);
  return null;
}

/** Whether the browser would ask before the tab closes. */
const wouldAsk = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

it('[S4-33] lets a page be left when nothing is unsaved, and otherwise only when the user says so', async () => {
  const ask = vi.fn(async () => false);
  const { rerender, unmount } = render(<Editor isDirty={false} ask={ask} />);
  expect([await mayLeavePage(), wouldAsk(), ask.mock.calls.length]).toEqual([true, false, 0]);
  rerender(<Editor isDirty ask={ask} />);
  expect([await mayLeavePage(), hasUnsavedWork(), wouldAsk()]).toEqual([false, true, true]);
  ask.mockResolvedValue(true);
  expect([await mayLeavePage(), hasUnsavedWork(), wouldAsk()]).toEqual([true, false, false]);
  unmount();
  expect(hasUnsavedWork()).toBe(false);
});
