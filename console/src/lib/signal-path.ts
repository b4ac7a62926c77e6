import { scopePath } from './scope-path.ts';
import type { Selection } from './session-store.ts';

/** Path of the queue with one signal open, whatever its state and age. */
export function signalPath(scope: Selection, signalId: string): string {
  return scopePath(scope, `/incident/signals?view=all&signal=${encodeURIComponent(signalId)}`);
}
