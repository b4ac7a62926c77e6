import { setFlagsFromString } from 'node:v8';

/** How much the old heap may grow, in percent of what lived at the last collection, before all of it is looked at again. */
const GROWTH_PERCENT = 100;

/**
 * How a server collects garbage, in all of its threads, from then on. Young garbage is collected by the thread alone: V8
 * shares that out to threads of ordinary priority and waits for them, which on a busy machine takes up to a tenth of a
 * second for a millisecond of work. And the old heap may double in between: V8 counts the buffers that pass through as
 * growth, and of its own accord a server that stores 5,000 events a second looks at all that it keeps every other second,
 * which is hundreds of megabytes where thousands of rules are on.
 */
export function collectGarbageSeldom(): void {
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
