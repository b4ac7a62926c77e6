import { useTranslation } from 'react-i18next';
import { notify } from '../lib/notify.ts';
import { readSettings } from '../lib/settings.ts';
import {
  absoluteRange,
  moveRange,
  type ResolvedRange,
  readRange,
  resolveRange,
  type TimeRange,
  widenRange,
} from '../lib/time-range.ts';
import { useKeySequence } from '../lib/use-key-sequence.ts';
import { copyText } from './copy-text.ts';

// Keys of the time range, each after `t`: z widens, the arrows move by half, a makes it absolute, c copies, v pastes.

/** The range after a key; null when the key does not change it. Widening and moving make it absolute. */
export function rangeAfterKey(key: string, range: ResolvedRange): TimeRange | null {
  const absolute = ({ from, to }: ResolvedRange) => absoluteRange(from, to);
  if (key === 'z') return absolute(widenRange(range));
  if (key === 'ArrowLeft') return absolute(moveRange(range, -0.5));
  if (key === 'ArrowRight') return absolute(moveRange(range, 0.5));
  return key === 'a' ? absolute(range) : null;
}

/** A range as it is copied, `from to to`, or any text that the field of the picker would take. */
export function rangeOfText(text: string): TimeRange | null {
  const [from = '', to = ''] = text.trim().split(/\s+to\s+/);
  const exact = { from: from.trim(), to: to.trim() };
  if (to !== '' && resolveRange(exact, Date.now(), readSettings().timeZone)) return exact;
  return readRange(text);
}

export function useTimeKeys(value: TimeRange, onChange: (range: TimeRange) => void): void {
  const { t } = useTranslation('ui');
  const paste = async () => {
    const pasted = rangeOfText(await navigator.clipboard.readText().catch(() => ''));
    if (pasted) onChange(pasted);
    else notify('failed', t('range.wrong'));
  };
  useKeySequence('t', (key) => {
    if (key === 'c') void copyText(`${value.from} to ${value.to}`);
    else if (key === 'v') void paste();
    else {
      const range = resolveRange(value, Date.now(), readSettings().timeZone);
      const next = range && rangeAfterKey(key, range);
      if (!next) return false;
      onChange(next);
    }
    return true;
  });
}
