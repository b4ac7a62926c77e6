import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../lib/storage.ts';
import classes from './detail-flyout.module.css';
import { IconButton } from './icon-button.tsx';

const WIDTH = 448;
const NARROWEST = 320;
const WIDEST = 960;

interface DetailFlyoutProps {
  readonly title: ReactNode;
  /** Names the panel for screen readers. */
  readonly label: string;
  readonly onClose: () => void;
  readonly onPrevious?: () => void;
  readonly onNext?: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The panel at the right that shows one row: 448 px, resizable by mouse and keys; Esc closes. */
export function DetailFlyout(props: DetailFlyoutProps) {
  const { t } = useTranslation('ui');
  const [width, setWidth] = useState(() => readStored<number>('prefs.flyoutWidth') ?? WIDTH);
  const { onClose } = props;
  const keep = (next: number) => {
    const bounded = Math.min(WIDEST, Math.max(NARROWEST, next));
    setWidth(bounded);
    writeStored('prefs.flyoutWidth', bounded);
  };
  useEscape(onClose);
  return (
    <aside
      className={classes.flyout}
      style={{ '--flyout-width': `${width}px` } as CSSProperties}
      aria-label={props.label}
    >
      <Splitter width={width} onWidth={keep} />
      <header className={classes.head}>
        <div className={classes.title}>{props.title}</div>
        {props.actions}
        {props.onPrevious ? (
          <IconButton label={t('flyout.previous')} onClick={props.onPrevious} size={26}>
            <IconArrowUp size={16} />
          </IconButton>
        ) : null}
        {props.onNext ? (
          <IconButton label={t('flyout.next')} onClick={props.onNext} size={26}>
            <IconArrowDown size={16} />
          </IconButton>
        ) : null}
        <IconButton label={t('close')} onClick={onClose} size={26}>
          <IconX size={16} />
        </IconButton>
      </header>
      <div className={classes.body}>{props.children}</div>
    </aside>
  );
}

function Splitter({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const { t } = useTranslation('ui');
  const start = useRef({ x: 0, width });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') onWidth(width + 24);
    else if (event.key === 'ArrowRight') onWidth(width - 24);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={classes.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('flyout.resize')}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          onWidth(start.current.width + start.current.x - event.clientX);
        }
      }}
      onDoubleClick={() => onWidth(WIDTH)}
    />
  );
}

/** Esc closes, unless something above the panel takes it first. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (isSomethingAbove()) return;
      onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
}

/** Closed lists stay in the page; only what is drawn counts. */
function isSomethingAbove(): boolean {
  const floating = document.querySelectorAll('[role="dialog"], [role="listbox"], [role="menu"]');
  return [...floating].some((element) => element.getClientRects().length > 0);
}
