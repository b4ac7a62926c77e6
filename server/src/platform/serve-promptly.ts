import { collectGarbageSeldom } from './collect-garbage-seldom.ts';
import { goFirst, lowerHelpers } from './thread-priority.ts';

/**
 * How a process that answers people runs from then on: its main thread goes before others, those that help V8 behind, and
 * garbage waits.
 */
export function servePromptly(): void {
  goFirst();
  lowerHelpers();
  collectGarbageSeldom();
}
