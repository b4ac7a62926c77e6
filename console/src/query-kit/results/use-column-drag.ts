import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

// Moving a column by its head: with the pointer, or with Alt and the arrow keys. A head that is pressed and let go
// without being moved is a click, which sorts.

/** A head moved less than this is not dragged. */
const SLACK_PX = 6;

interface Drag {
  /** Index of the column under the pointer's press. */
  readonly from: number;
  /** Index before which it would be put; the number of columns for the end. */
  readonly to: number;
}

export interface ColumnDrag {
  readonly drag: Drag | null;
  /** For the element that stands for the column at this index. */
  readonly handlers: (index: number) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  };
  /** True for the click that ends a drag. */
  readonly isDragEnd: () => boolean;
}

/** The names with the one at `from` put before the one at `to`. */
export function movedBefore(names: readonly string[], from: number, to: number): string[] {
  const name = names[from];
  if (name === undefined) return [...names];
  const before = names.slice(0, to).filter((_, index) => index !== from);
  const after = names.slice(to).filter((_, index) => index + to !== from);
  return [...before, name, ...after];
}

/** The place nearest to `x` among heads of these widths, the first of which begins at `left`. */
export function dropPosition(x: number, left: number, sizes: readonly number[]): number {
  let edge = left;
  for (const [index, size] of sizes.entries()) {
    if (x < edge + size / 2) return index;
    edge += size;
  }
  return sizes.length;
}

/** Where the heads begin: behind the room for the boxes that select rows. */
function firstHeadLeft(row: Element): number {
  const head = row.querySelector('[data-column]')?.closest('[role=columnheader]') ?? row;
  return head.getBoundingClientRect().left;
}

export function useColumnDrag(
  names: readonly string[],
  sizes: readonly number[],
  onColumns: (names: readonly string[]) => void,
): ColumnDrag {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pressed = useRef<{ index: number; x: number } | null>(null);
  const wasDragged = useRef(false);
  /** The head that keeps the focus after it was moved by a key. */
  const focused = useRef<{ name: string; row: HTMLElement | null } | null>(null);
  useEffect(() => {
    const { name, row } = focused.current ?? {};
    focused.current = null;
    const heads = [...(row?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    if (name !== undefined) heads.find((head) => head.dataset.column === name)?.focus();
  });
  const end = () => {
    pressed.current = null;
    setDrag(null);
  };
  return {
    drag,
    isDragEnd: () => {
      const was = wasDragged.current;
      wasDragged.current = false;
      return was;
    },
    handlers: (index) => ({
      onPointerDown: (event) => {
        wasDragged.current = false;
        if (event.button === 0 && event.pointerType !== 'touch')
          pressed.current = { index, x: event.clientX };
      },
      onPointerMove: (event) => {
        const start = pressed.current;
        if (!start || (drag === null && Math.abs(event.clientX - start.x) < SLACK_PX)) return;
        if (drag === null) event.currentTarget.setPointerCapture(event.pointerId);
        const row = event.currentTarget.closest('[role="row"]');
        if (row)
          setDrag({
            from: start.index,
            to: dropPosition(event.clientX, firstHeadLeft(row), sizes),
          });
      },
      onPointerUp: () => {
        wasDragged.current = drag !== null;
        if (drag && drag.to !== drag.from && drag.to !== drag.from + 1) {
          onColumns(movedBefore(names, drag.from, drag.to));
        }
        end();
      },
      onPointerCancel: end,
      onKeyDown: (event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0 || !event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        const to = index + (step === 1 ? 2 : -1);
        if (to < 0 || to > names.length) return;
        focused.current = { name: names[index] ?? '', row: event.currentTarget.closest('[role="row"]') };
        onColumns(movedBefore(names, index, to));
      },
    }),
  };
}
