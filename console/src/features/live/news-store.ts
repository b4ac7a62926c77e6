import type { CaseChange, liveNews, OutputOf } from '@tyrian/contract';
import { useSyncExternalStore } from 'react';

// What the server has told of since this tab began to ask: which signals were raised, which cases others changed, and
// how many notifications are unread. Lists take from it what they have not shown yet; nothing here changes a list.

type News = OutputOf<typeof liveNews>;

/** `seq` says in which order things were heard of; a reader remembers up to where it has read. */
export interface HeardChange extends CaseChange {
  readonly seq: number;
}

export interface NewsState {
  /** Whose news these are: user, cluster, scope. */
  readonly of: string;
  readonly cursor: string | null;
  /** Goes up with everything that is heard of. */
  readonly seq: number;
  /** Raised and not yet shown in the queue, newest first. */
  readonly signalIds: readonly string[];
  /** More were raised than could be named. */
  readonly hasMoreSignals: boolean;
  /** By others, newest first. */
  readonly caseChanges: readonly HeardChange[];
  /** Up to here the case list has shown them. */
  readonly casesSeen: number;
  readonly unread: number;
  readonly newest: number | null;
}

const MOST = 500;
const NOTHING: NewsState = {
  of: '',
  cursor: null,
  seq: 0,
  signalIds: [],
  hasMoreSignals: false,
  caseChanges: [],
  casesSeen: 0,
  unread: 0,
  newest: null,
};

let state = NOTHING;
const watchers = new Set<() => void>();

/** The news of this place; begins anew for another user or place. */
export function newsOf(of: string): NewsState {
  if (state.of !== of) change({ ...NOTHING, of });
  return state;
}

export function readNews(): NewsState {
  return state;
}

export function useNews(): NewsState {
  return useSyncExternalStore(watch, readNews);
}

/** Takes an answer in. What an earlier answer has said already and what the user did is no news. */
export function takeNews(of: string, answer: News, userId: string): void {
  const before = newsOf(of);
  const known = new Set(before.caseChanges.map((one) => one.event_id));
  const changes = answer.case_changes.filter(
    (one) => !known.has(one.event_id) && one.actor?.user_id !== userId,
  );
  const heard = new Set(heardSignals);
  const signals = answer.signal_ids.filter((id) => !heard.has(id));
  heardSignals = [...signals, ...heardSignals].slice(0, MOST);
  const seq = before.seq + 1;
  const isNew = changes.length > 0 || signals.length > 0;
  change({
    ...before,
    cursor: answer.cursor,
    seq: isNew ? seq : before.seq,
    signalIds: signals.length === 0 ? before.signalIds : [...signals, ...before.signalIds].slice(0, MOST),
    hasMoreSignals: before.hasMoreSignals || (answer.has_more && signals.length > 0),
    caseChanges:
      changes.length === 0
        ? before.caseChanges
        : [...changes.map((one) => ({ ...one, seq })), ...before.caseChanges].slice(0, MOST),
    unread: answer.unread,
    newest: answer.newest,
  });
}

/** Signals that were heard of, shown or not: an answer may name one twice. */
let heardSignals: readonly string[] = [];

/** The queue has just been read: nothing in it is new. */
export function signalsShown(): void {
  if (state.signalIds.length > 0 || state.hasMoreSignals) {
    change({ ...state, signalIds: [], hasMoreSignals: false });
  }
}

/** The case list has just been read. */
export function casesShown(): void {
  if (state.casesSeen !== state.seq) change({ ...state, casesSeen: state.seq });
}

/** The bell knows better than the last answer. */
export function unreadIs(unread: number): void {
  if (state.unread !== unread) change({ ...state, unread });
}

/** Forgets everything; for tests. */
export function forgetNews(): void {
  heardSignals = [];
  change(NOTHING);
}

function change(next: NewsState): void {
  if (next.of !== state.of) heardSignals = [];
  state = next;
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
