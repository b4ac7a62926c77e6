import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isSingleKey } from '../lib/use-key-sequence.ts';
import classes from './new-rows-pill.module.css';

/** The key that shows what is new. */
const NEW_ROWS_KEY = 'n';

interface NewRowsPillProps {
  /** What is new, e.g. `3 new`; null when nothing is. */
  readonly text: string | null;
  /** The list shows no row, so that there is nothing to lose the place in. */
  readonly isEmpty: boolean;
  readonly onLoad: () => void;
}

/**
 * Says that a list has new rows, and shows them on a click or a key. The rows stay where they are until then; an empty
 * list shows them at once.
 */
export function NewRowsPill({ text, isEmpty, onLoad }: NewRowsPillProps) {
  const { t } = useTranslation('ui');
  const load = useRef(onLoad);
  load.current = onLoad;
  const isNew = text !== null;
  const isShown = isNew && !isEmpty;
  useEffect(() => {
    if (isNew && isEmpty) load.current();
  }, [isNew, isEmpty]);
  useEffect(() => {
    if (!isShown) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== NEW_ROWS_KEY || !isSingleKey(event)) return;
      event.preventDefault();
      load.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isShown]);
  return (
    // Always there, so that a screen reader hears of what comes into it.
    <span role="status" className={classes.place}>
      {isShown && (
        <button
          type="button"
          className={classes.pill}
          title={t('newRows.load')}
          aria-keyshortcuts={NEW_ROWS_KEY}
          onClick={onLoad}
        >
          <IconArrowUp size={14} aria-hidden />
          {text}
          <kbd className={classes.key} aria-hidden>
            {NEW_ROWS_KEY}
          </kbd>
        </button>
      )}
    </span>
  );
}
