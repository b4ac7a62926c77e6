import {
  type DraftCandidate,
  type DraftCondition,
  type DraftEvent,
  type DraftKind,
  draftConditionKql,
  draftKindKql,
  type FulfilledCount,
} from '@tyrian/sigma';
import type { QueryService } from '../../search/query-service.ts';
import type { DraftDay } from './draft-day.ts';

// What a draft asks of the event store: always the one scope, within the day, in the queue of searches.

export interface DraftPlace {
  readonly queries: Pick<QueryService, 'run'>;
  readonly clusterId: string;
  readonly scopeId: string;
  readonly userId: string;
  readonly signal: AbortSignal;
  readonly day: DraftDay;
  /** EventUid of the selected events. */
  readonly uids: readonly string[];
  /** What was asked, for the audit trail. */
  readonly asked: string[];
}

/** Other events that conditions are compared with at most; of more a part is taken. */
const MOST_COMPARED = 5_000_000;
/** Ways to fulfil some of the conditions and not the others. */
const MOST_GROUPS = 20_000;

const among = ({ uids }: DraftPlace): string => `(${uids.map((uid) => `guid(${uid})`).join(', ')})`;

async function ask(place: DraftPlace, kql: string, timeRange: DraftDay['range'], maxRows: number) {
  const { queries, clusterId, scopeId, userId, signal } = place;
  place.asked.push(kql);
  const request = { clusterId, scopes: [scopeId], kql, timeRange, maxRows, userId, signal };
  return queries.run({ ...request, queue: 'interactive' });
}

/** The selected events that are there. */
export async function selectedEvents(place: DraftPlace): Promise<readonly DraftEvent[]> {
  const kql = `Events\n| where EventUid in ${among(place)}`;
  const { columns, rows } = await ask(place, kql, place.day.selected, place.uids.length);
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
}

const maskKql = (conditions: readonly DraftCondition[]): string =>
  conditions.map((one, bit) => `iff(${draftConditionKql(one)}, ${2 ** bit}, 0)`).join(' + ');

/**
 * How many other events of the kind fulfil which of the conditions. Conditions that the engine does not find in every
 * selected event are left out first, unless somebody asks for exactly these.
 */
export async function fulfilledBy<Condition extends DraftCondition | DraftCandidate>(
  place: DraftPlace,
  kind: DraftKind,
  offered: readonly Condition[],
  isFree: boolean,
): Promise<{
  readonly conditions: readonly Condition[];
  readonly counts: readonly FulfilledCount[];
  readonly compared: { readonly events: number; readonly all: boolean };
}> {
  const shared = isFree ? await heldByAll(place, offered) : offered;
  const none = { conditions: [], counts: [], compared: { events: 0, all: true } };
  if (shared.length === 0) return none;
  const counts = await countsOf(place, kind, shared);
  // Too many ways: fewer conditions have fewer.
  if (counts === null)
    return isFree
      ? fulfilledBy(place, kind, shared.slice(0, Math.ceil(shared.length / 2)), isFree)
      : { ...none, conditions: shared, compared: { events: 0, all: false } };
  const events = counts.reduce((sum, one) => sum + one.events, 0);
  return { conditions: shared, counts, compared: { events, all: events < MOST_COMPARED } };
}

async function heldByAll<Condition extends DraftCondition>(
  place: DraftPlace,
  offered: readonly Condition[],
): Promise<readonly Condition[]> {
  if (offered.length === 0) return [];
  const sums = offered.map((one, bit) => `C${bit} = countif(${draftConditionKql(one)})`);
  const kql = `Events\n| where EventUid in ${among(place)}\n| summarize ${sums.join(', ')}`;
  const { rows } = await ask(place, kql, place.day.selected, 1);
  const wanted = new Set(place.uids).size;
  return offered.filter((_, bit) => Number(rows[0]?.[bit]) === wanted);
}

/** Null when the conditions are fulfilled in too many ways. */
async function countsOf(
  place: DraftPlace,
  kind: DraftKind,
  conditions: readonly DraftCondition[],
): Promise<readonly FulfilledCount[] | null> {
  const kql = [
    draftKindKql(kind),
    `| where EventUid !in ${among(place)}`,
    `| take ${MOST_COMPARED}`,
    `| summarize Events = count() by Fulfilled = ${maskKql(conditions)}`,
  ].join('\n');
  const { columns, rows, truncated } = await ask(place, kql, place.day.range, MOST_GROUPS);
  if (truncated) return null;
  const [mask, events] = ['Fulfilled', 'Events'].map((name) => columns.findIndex((one) => one.name === name));
  return rows.map((row) => ({ mask: Number(row[mask ?? 0]), events: Number(row[events ?? 1]) }));
}

export interface Matches {
  /** Of the selected events. */
  readonly selected: number;
  /** Of all other events. */
  readonly others: number;
}

/** What a query finds: of the whole day, or among the selected events alone, which costs next to nothing. */
export async function matchesOf(
  place: DraftPlace,
  kql: string,
  within: 'day' | 'selected',
): Promise<Matches> {
  const { day } = place;
  const narrowed = within === 'day' ? kql : `${kql}\n| where EventUid in ${among(place)}`;
  const counted = `${narrowed}\n| summarize Found = count(), Selected = countif(EventUid in ${among(place)})`;
  const range = within === 'day' ? day.range : day.selected;
  const { rows } = await ask(place, counted, range, 1);
  const [found, selected] = (rows[0] ?? []).map(Number);
  return { selected: selected ?? 0, others: (found ?? 0) - (selected ?? 0) };
}
