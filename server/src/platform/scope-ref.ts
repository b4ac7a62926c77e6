/** Names a scope of a tenant; every read and write carries both ids. */
export interface ScopeRef {
  readonly clusterId: string;
  readonly scopeId: string;
}
