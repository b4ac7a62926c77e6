import { placePath } from './place.ts';
import type { Selection } from './session-store.ts';

/** Path of the queue with one signal open, whatever its state and age. */
export function signalPath(place: Selection, signalId: string): string {
  return placePath(place, `/incident/signals?view=all&signal=${encodeURIComponent(signalId)}`);
}
