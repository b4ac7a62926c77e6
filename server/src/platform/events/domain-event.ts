// What happens in tenants, as values. The tables stand in db/postgres/0001_platform.sql.

export type DomainEventKind =
  | 'signal.raised'
  | 'case.created'
  | 'case.changed'
  | 'case.assigned'
  | 'case.noted'
  | 'rule.failing'
  | 'rule.quarantined'
  | 'rule.tuning'
  | 'source.silent'
  | 'data-model.decided'
  | 'source.back'
  | 'source.volume'
  | 'connector.failed';

/** Something that has happened, as whoever did it writes it down. */
export interface NewDomainEvent {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly kind: DomainEventKind;
  /** Id of the signal, case, rule, source or connector. Events of one object are handled in their order. */
  readonly objectId: string;
  /** Null for work of the product itself. */
  readonly actor: { readonly userId: string; readonly name: string } | null;
  /** Small JSON: the names and values that consumers need, no event data. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export interface DomainEvent extends NewDomainEvent {
  /** Grows with every event; a consumer may use it to know an event again. */
  readonly eventId: number;
}
