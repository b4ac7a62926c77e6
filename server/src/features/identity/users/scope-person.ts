import type { Locale, ScopeRole, UserItem } from '@tyrian/contract';

/** Somebody who may be told of what happens in a scope. */
export interface ScopePerson extends UserItem {
  readonly locale: Locale;
  /** Null: administers the tenant without a role in the scope. */
  readonly role: Exclude<ScopeRole, 'No Access'> | null;
  readonly is_tenant_admin: boolean;
}
