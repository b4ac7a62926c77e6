import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { CallError, type CallErrorKind } from './call.ts';
import { serverText } from './server-text.ts';
import { readStored, writeStored } from './storage.ts';

// Toasts, bottom right, 4 s; each is also kept among the recent messages of the bell.

export type NoticeTone = 'done' | 'failed' | 'info';

export interface Notice {
  readonly id: string;
  readonly tone: NoticeTone;
  readonly title: string;
  readonly text: string;
  readonly time: number;
}

const KEPT = 50;
const COLORS: Record<NoticeTone, string> = { done: 'teal', failed: 'red', info: 'gray' };

/** Shows a toast. Repeats of what is still shown are not stacked. */
export function notify(tone: NoticeTone, title: string, text = ''): void {
  const id = `${tone}|${title}|${text}`;
  notifications.show({
    id,
    title,
    message: text,
    color: COLORS[tone],
    autoClose: 4000,
    withBorder: true,
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
  });
  const notice: Notice = {
    id: `${Date.now()}-${Math.random()}`,
    tone,
    title,
    text,
    time: Date.now(),
  };
  writeStored('notifications', [notice, ...noticeList()].slice(0, KEPT));
}

/** What leads to a page or a message of its own. */
const TOLD_ELSEWHERE: readonly CallErrorKind[] = [
  'aborted',
  'invalid-session',
  'not-authorised',
  'agreements-due',
];

/** Tells of a call that failed: `Something went wrong`, and what the server said. */
export function notifyFailure(error: unknown): void {
  if (error instanceof CallError) {
    if (TOLD_ELSEWHERE.includes(error.kind)) return;
    notify('failed', i18next.t('app:somethingWentWrong'), serverText(error));
    return;
  }
  notify('failed', i18next.t('app:somethingWentWrong'));
}

/** The kept notices, newest first. */
export function noticeList(): readonly Notice[] {
  return readStored<readonly Notice[]>('notifications') ?? EMPTY;
}

const EMPTY: readonly Notice[] = [];

export function clearNotices(): void {
  writeStored('notifications', []);
}
