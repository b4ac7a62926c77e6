import { collectGarbageSeldom } from './collect-garbage-seldom.ts';
import { goFirst } from './thread-priority.ts';

/** How a process that answers people runs from then on: its main thread goes before others, and garbage waits. */
export function servePromptly(): void {
  goFirst();
  collectGarbageSeldom();
}
