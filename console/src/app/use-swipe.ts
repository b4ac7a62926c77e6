import { type RefObject, useEffect } from 'react';

// The menu drawer by swipe: a touch that starts within 70 px of the left edge and moves 50 px to the right
// opens it; 50 px to the left closes it.

export const SWIPE_START_PX = 70;
export const SWIPE_MOVE_PX = 50;

/** What a touch from `start` to `end` (x, px) does to the menu; null when it does nothing. */
export function swipeEffect(start: number, end: number): 'open' | 'close' | null {
  if (end - start >= SWIPE_MOVE_PX && start <= SWIPE_START_PX) return 'open';
  return start - end >= SWIPE_MOVE_PX ? 'close' : null;
}

export function useSwipe(
  frame: RefObject<HTMLElement | null>,
  isOn: boolean,
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    if (!isOn || !frame.current) return;
    let start: { x: number; y: number } | null = null;
    const onStart = (event: TouchEvent) => {
      const touch = event.touches[0];
      start = touch ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const onEnd = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!start || !touch) return;
      const isSideways = Math.abs(touch.clientX - start.x) > Math.abs(touch.clientY - start.y);
      const effect = isSideways ? swipeEffect(start.x, touch.clientX) : null;
      if (effect) setOpen(effect === 'open');
    };
    document.addEventListener('touchstart', onStart, { passive: true });
    document.addEventListener('touchend', onEnd, { passive: true });
    return () => {
      document.removeEventListener('touchstart', onStart);
      document.removeEventListener('touchend', onEnd);
    };
  }, [frame, isOn, setOpen]);
}
