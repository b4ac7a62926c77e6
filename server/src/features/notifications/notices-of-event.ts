import { CRITICAL_SCORE, NOTIFIED, type Notification, type NotificationKind } from '@tyrian/contract';
import type { DomainEvent } from '../../platform/events/domain-event.ts';
import type { ScopePerson } from '../identity/users/scope-person.ts';

// What an event is worth telling, and to whom. Pure.

/** Something to be told to some of the people of a scope. */
export interface Notice {
  readonly kind: NotificationKind;
  /** Unread notices of one group are one line. */
  readonly groupKey: string;
  readonly objectId: string;
  readonly details: Notification['details'];
  /** Those that are named; absent: everybody who is told of the kind. */
  readonly to?: readonly string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const ids = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const RULE_KINDS = {
  'rule.failing': 'rule_failing',
  'rule.quarantined': 'rule_quarantined',
  'rule.tuning': 'rule_tuning',
} as const;

const SOURCE_KINDS = {
  'source.silent': 'source_silent',
  'source.back': 'source_back',
  'source.volume': 'source_volume',
} as const;

/** What an event is to be told as; null when nobody needs to hear of it. */
export function noticeOf(event: DomainEvent): Notice | null {
  const { objectId, details, scopeId } = event;
  const named = { name: text(details.name) };
  const inCase = { ...named, case_key: text(details.case_key) };
  switch (event.kind) {
    case 'signal.raised':
      // What a rule under construction raises wakes nobody.
      if (Number(details.score) < CRITICAL_SCORE || details.stage !== 'prod') return null;
      return {
        kind: 'critical_signal',
        groupKey: `critical_signal ${scopeId} ${text(details.workbook_id)}`,
        objectId,
        details: { ...named, score: Number(details.score), workbook_name: text(details.workbook_name) },
      };
    case 'case.assigned':
      return {
        kind: 'case_assigned',
        groupKey: `case_assigned ${objectId}`,
        objectId,
        details: inCase,
        to: [text(details.handler_id)],
      };
    case 'case.noted': {
      const to = ids(details.mentions);
      if (to.length === 0) return null;
      return { kind: 'case_mention', groupKey: `case_mention ${objectId}`, objectId, details: inCase, to };
    }
    case 'rule.failing':
    case 'rule.quarantined':
    case 'rule.tuning': {
      const kind = RULE_KINDS[event.kind];
      return { kind, groupKey: `${kind} ${scopeId} ${objectId}`, objectId, details: named };
    }
    case 'source.silent':
    case 'source.back':
    case 'source.volume': {
      const last = Number(details.last_event_ms);
      const kind = SOURCE_KINDS[event.kind];
      const said = { ...named, ...(last > 0 ? { last_event: last } : {}) };
      return { kind, groupKey: `${kind} ${objectId}`, objectId, details: said };
    }
    case 'connector.failed':
      return { kind: 'connector_failed', groupKey: `connector_failed ${objectId}`, objectId, details: named };
    case 'data-model.decided':
      return decidedNotice(objectId, named, text(details.asker_id));
    case 'case.created':
    case 'case.changed':
      return null;
  }
}

/** Whoever asked for something in the data model is told what became of it. */
const decidedNotice = (objectId: string, details: Notice['details'], asker: string): Notice => ({
  ...{ kind: 'data_model_decided', groupKey: `data_model_decided ${objectId}`, objectId, details },
  to: [asker],
});

/** Whether somebody is told of a kind, by the roles held where it happened. */
export function isTold(person: ScopePerson, kind: NotificationKind): boolean {
  const tags = NOTIFIED[kind];
  return (
    (person.is_tenant_admin && tags.includes('tenant-admin')) ||
    (person.role === 'Security Engineer' && tags.includes('engineer')) ||
    (person.role === 'Security Analyst' && tags.includes('analyst'))
  );
}

/** Those of a scope's people who are told: never whoever did it, and never somebody without the right to see it. */
export function readersOf(
  event: DomainEvent,
  notice: Notice,
  people: readonly ScopePerson[],
): readonly ScopePerson[] {
  return people.filter(
    (person) =>
      isTold(person, notice.kind) &&
      person.user_id !== event.actor?.userId &&
      (notice.to === undefined || notice.to.includes(person.user_id)),
  );
}
