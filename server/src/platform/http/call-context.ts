import { AsyncLocalStorage } from 'node:async_hooks';
import type { Endpoint } from '@tyrian/contract';
import type { Caller } from './caller.ts';

// The call that is being served, known to whatever runs because of it, also behind the answer. The audit trail takes
// from here who calls and from which address, so that no service has to hand it through.

export interface CallContext {
  readonly endpoint: Endpoint;
  /** Address of the client. */
  readonly source: string;
  /** Null until the caller is known, and for public calls. */
  caller: Caller | null;
  /** Audit entries written so far because of this call. */
  entries: number;
  /** The entry comes when work that goes on behind the answer ends, e.g. a search. */
  isEntryDueLater: boolean;
}

const storage = new AsyncLocalStorage<CallContext>();

/** Runs `work` as part of the call. */
export function withinCall<T>(call: CallContext, work: () => T): T {
  return storage.run(call, work);
}

/** The call that the running code belongs to; undefined in background work. */
export function currentCall(): CallContext | undefined {
  return storage.getStore();
}

/** Says that the entry of the running call is written behind its answer, e.g. when a search ends. */
export function entryComesLater(): void {
  const call = storage.getStore();
  if (call) call.isEntryDueLater = true;
}

/** What the HTTP layer tells the audit trail. */
export interface CallTrail {
  /** The call was refused. Never throws: a refusal stays one, also when it cannot be noted. */
  refused(
    call: CallContext,
    tenant: { readonly clusterId: string | undefined },
    reason: string,
  ): Promise<void>;
  /** The call succeeded, and whoever served it wrote no entry although the endpoint owes one. */
  forgotten(call: CallContext, tenant: { readonly clusterId: string | undefined }): Promise<void>;
}
