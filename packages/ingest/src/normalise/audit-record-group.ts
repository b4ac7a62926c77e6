import type { DecodedEvent } from '../event-row.ts';
import { setColumn } from './field-columns.ts';

// The Linux audit log spreads one act over several records with one number: SYSCALL says who and which process,
// EXECVE only the arguments, PATH only the file. Each record stays an event of its own; those that follow the SYSCALL
// in the same delivery also get its process and user, so that a command line says who ran it.

const SHARED = [
  'ProcessId',
  'ParentProcessId',
  'ProcessName',
  'ActorUserId',
  'ActorUsername',
  'LogonId',
] as const;

/** Acts of several processors lie between each other; more than this many are never open at once. */
const OPEN_ACTS = 64;

/** Remembers the acts of one delivery. Show it every audit record in the order of arrival. */
export class AuditRecordGroup {
  readonly #acts = new Map<string, DecodedEvent>();

  /** Fills what a record of an act leaves open with what the SYSCALL of the act said. */
  complete(event: DecodedEvent): void {
    const serial = event.columns.EventRecordId;
    if (serial === undefined) return;
    const act = `${event.columns.DvcHostname ?? ''} ${event.time} ${serial}`;
    if (event.columns.Operation === 'SYSCALL') {
      this.#acts.set(act, event);
      const [oldest] = this.#acts.keys();
      if (this.#acts.size > OPEN_ACTS && oldest !== undefined) this.#acts.delete(oldest);
      return;
    }
    const call = this.#acts.get(act);
    if (call === undefined) return;
    for (const column of SHARED) setColumn(event, column, call.columns[column]);
  }
}
