import type { QueryExecutorProvider } from 'kysely';

/** What a feature says about an act. */
export interface AuditEntry {
  /** A verb with its object, e.g. `login`, `case.export`, `user.disable`. */
  readonly action: string;
  /** The caller of the running call when absent; null for the product itself. */
  readonly who?: { readonly userId: string; readonly name: string } | null;
  /** The name under which somebody acted whom nothing has proved, e.g. the address of a failed sign-in. */
  readonly claimedName?: string;
  /** Address of the caller; that of the running call when absent, empty for work of the product itself. */
  readonly source?: string;
  /** The organization of `who` when absent. */
  readonly orgId?: string;
  readonly clusterId?: string;
  readonly scopeId?: string;
  /** The object acted on: an id or a name. */
  readonly entity?: string;
  /** Small JSON; never a password, a session id or a token. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Where a feature records what was done. Identity implements it with the table of the audit trail. */
export interface AuditRecorder {
  /**
   * Writes an entry: through `trx`, the transaction of the act, or by itself where nothing is changed. In a tenant's
   * transaction the entry must be of that tenant. Take it as the last step: entries wait for each other until their
   * transactions end. Throws AppError `unavailable` when it cannot be written; the act must then not happen.
   */
  record(entry: AuditEntry, trx?: QueryExecutorProvider): Promise<void>;
  /**
   * Writes the entry of something that changes nothing and that anybody can do again and again: the first
   * at once, equal ones of the next minute as one more with their number. Equal are those of one `kind`; when absent
   * those of one action, source, user, organization, tenant and entity. `windowMs` instead of the minute. Throws like
   * `record`.
   */
  recordOften(entry: AuditEntry, kind?: string, windowMs?: number): Promise<void>;
}
