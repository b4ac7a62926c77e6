import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

// How buckets of a histogram are pointed at and selected, by pointer and by keyboard alike.

/** Buckets between two ends, both included, in whichever order they were chosen. */
export interface Selected {
  readonly anchor: number;
  readonly head: number;
}

/** First bucket of a selection and the one after its last. */
export function selectedBuckets(selected: Selected): readonly [number, number] {
  return [Math.min(selected.anchor, selected.head), Math.max(selected.anchor, selected.head) + 1];
}

interface BrushedHistogram {
  readonly times: readonly number[];
  readonly bucketMs: number;
  readonly range: { readonly from: number; readonly to: number };
  /** Whether a bucket holds something; a click on an empty one does nothing. */
  readonly isFilled: (bucket: number) => boolean;
  readonly onNarrow: (from: number, to: number) => void;
  readonly onWiden: () => void;
}

/** A click may be the first of two, and two widen. */
const SECOND_CLICK_MS = 260;

/** The range that a selection means, kept inside the range that is shown. */
function selectedRange(selected: Selected, of: BrushedHistogram): { from: number; to: number } {
  const [first, after] = selectedBuckets(selected);
  const start = of.times[first] ?? of.range.from;
  return {
    from: Math.max(of.range.from, start),
    to: Math.min(of.range.to, start + (after - first) * of.bucketMs),
  };
}

export function useHistogramBrush(of: BrushedHistogram) {
  const { times, bucketMs, range } = of;
  const last = times.length - 1;
  const [hovered, setHovered] = useState<number | null>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  const dragging = useRef(false);
  /** A finger shows what a bar holds before it chooses it. */
  const isAimed = useRef(true);
  const clicked = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(clicked.current), []);

  const bucketAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    const time = range.from + share * (range.to - range.from);
    return clamp(Math.floor((time - (times[0] ?? 0)) / bucketMs), last);
  };
  const narrow = (chosen: Selected) => {
    const { from, to } = selectedRange(chosen, of);
    setSelected(null);
    if (from < to) of.onNarrow(from, to);
  };
  const step = (by: number, extend: boolean) => {
    const head = clamp((hovered ?? (by > 0 ? -1 : times.length)) + by, last);
    setHovered(head);
    setSelected(extend ? { anchor: selected?.anchor ?? hovered ?? head, head } : null);
  };

  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || last < 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      dragging.current = true;
      const at = bucketAt(event);
      isAimed.current = event.pointerType !== 'touch' || hovered === at;
      setHovered(at);
      setSelected({ anchor: at, head: at });
    },
    onPointerMove: (event: PointerEvent) => {
      if (last < 0) return;
      const at = bucketAt(event);
      setHovered(at);
      if (dragging.current) setSelected((now) => (now ? { ...now, head: at } : now));
    },
    onPointerUp: () => {
      const wasDragging = dragging.current;
      dragging.current = false;
      if (!wasDragging || !selected) return;
      if (selected.anchor !== selected.head) return narrow(selected);
      setSelected(null);
      window.clearTimeout(clicked.current);
      if (isAimed.current && of.isFilled(selected.head))
        clicked.current = window.setTimeout(() => narrow(selected), SECOND_CLICK_MS);
    },
    onPointerLeave: (event: PointerEvent) => {
      if (!dragging.current && event.pointerType !== 'touch') setHovered(null);
    },
    onDoubleClick: () => {
      window.clearTimeout(clicked.current);
      of.onWiden();
    },
    onBlur: () => setHovered(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (last < 0) return;
      if (event.key === 'ArrowRight') step(1, event.shiftKey);
      else if (event.key === 'ArrowLeft') step(-1, event.shiftKey);
      else if (event.key === 'Enter' && hovered !== null)
        narrow(selected ?? { anchor: hovered, head: hovered });
      else if (event.key === '-') of.onWiden();
      else if (event.key === 'Escape' && selected) setSelected(null);
      else return;
      event.preventDefault();
    },
  };
  return { hovered, selected, handlers };
}

const clamp = (index: number, last: number): number => Math.max(0, Math.min(last, index));
