import { useSyncExternalStore } from 'react';

// Whether the server answers at all. Calls tell what they meet; that a call went unanswered is a doubt until the
// server has been asked once more, for calls also break off when a page is left.

type Contact = 'heard' | 'doubt' | 'lost';

let contact: Contact = 'heard';
const watchers = new Set<() => void>();

/** Tells that the server answered, whatever it said, or that it did not. */
export function tellContact(hasAnswered: boolean): void {
  change(hasAnswered ? 'heard' : contact === 'lost' ? 'lost' : 'doubt');
}

/** Tells that the server did not answer when it was asked whether it is there. */
export function tellLost(): void {
  change('lost');
}

export function useContact(): Contact {
  return useSyncExternalStore(watch, () => contact);
}

function change(next: Contact): void {
  if (next === contact) return;
  contact = next;
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
