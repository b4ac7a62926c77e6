import type { NamedBy } from '@tyrian/contract';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { UploadWork } from './store-upload.ts';

export interface CallerInScope extends ScopeRef {
  readonly caller: Caller;
}

export interface EventstoresDeps extends UploadWork {
  readonly events: Pick<EventStore, 'insertRows' | 'ensureTenant' | 'query'>;
  readonly audit: AuditService;
  /** Whether a query of the scope could name a table so, beside what has a name already. */
  readonly isFreeName: (scope: ScopeRef, name: string, userId: string) => Promise<boolean>;
  /** What names a word in a scope: workbooks, rules, functions. */
  readonly namedBy: (
    scope: ScopeRef,
    words: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly NamedBy[]>>;
}
