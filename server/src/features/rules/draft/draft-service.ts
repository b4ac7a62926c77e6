import {
  type DraftCondition,
  type draftRule,
  MOST_DRAFT_CONDITIONS,
  type RuleDraft,
  say,
} from '@tyrian/contract';
import {
  canAsk,
  chooseConditions,
  type DraftCandidate,
  type DraftEvent,
  type DraftKind,
  draftCandidates,
  draftKind,
  logSourcesOf,
  othersLeft,
  type SigmaReach,
  sigmaFieldOf,
} from '@tyrian/sigma';
import type { z } from 'zod';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { AuditService } from '../../identity/audit/audit-service.ts';
import type { QueryService } from '../../search/query-service.ts';
import { readEntry } from '../../search/read-entry.ts';
import { draftDay } from './draft-day.ts';
import { type DraftPlace, fulfilledBy, selectedEvents } from './draft-queries.ts';
import { kqlDraft } from './kql-draft.ts';
import { sigmaDraft } from './sigma-draft.ts';

// A rule drafted from events of a search: what they share is counted among the other events of their day, the fewest
// conditions that tell them apart are chosen, and what comes of them is run.
//
//   events ──read──► what they share ──count──► conditions ──compile, run──► Sigma, KQL

export interface DraftDeps {
  readonly queries: Pick<QueryService, 'run'>;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** What the tenant has. */
  readonly reachOf: (clusterId: string) => Promise<SigmaReach>;
}

export interface DraftCaller {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
  readonly signal: AbortSignal;
}

type Input = z.output<typeof draftRule.input>;
type AskedCondition = NonNullable<Input['conditions']>[number];

export interface DraftService {
  /**
   * Throws `not-found` when one of the events is not there in the scope, `bad-input` for events of more than a day, for
   * conditions that cannot be asked, and when it takes too long.
   */
  draft(scope: DraftCaller, input: Input): Promise<RuleDraft>;
}

/** So long all queries of a draft may take. */
const MOST_SECONDS = 60;

export function createDraftService(deps: DraftDeps): DraftService {
  return bindDeps(deps, { draft });
}

async function draft(deps: DraftDeps, scope: DraftCaller, input: Input): Promise<RuleDraft> {
  const wrong = input.conditions?.find((one) => !canAsk(one));
  if (wrong) throw new AppError('bad-input', say('packs.draftCondition', { field: wrong.path.join('.') }));
  const day = draftDay(input.events, deps.clock.now());
  if (!day) throw new AppError('bad-input', say('packs.draftSpan'));
  const timeout = AbortSignal.timeout(MOST_SECONDS * 1000);
  const place: DraftPlace = {
    queries: deps.queries,
    clusterId: scope.clusterId,
    scopeId: scope.scopeId,
    userId: scope.caller.userId,
    signal: AbortSignal.any([scope.signal, timeout]),
    day,
    uids: input.events.map(({ uid }) => uid),
    asked: [],
  };
  try {
    const events = await selectedEvents(place);
    if (events.length < new Set(place.uids).size) throw new AppError('not-found', say('packs.draftGone'));
    const found = await draftOf(deps, scope, place, { events, conditions: input.conditions });
    await tell(deps, scope, place, found);
    return found;
  } catch (error) {
    if (timeout.aborted && !scope.signal.aborted)
      throw new AppError('bad-input', say('packs.draftTooSlow', { seconds: MOST_SECONDS }));
    throw error;
  }
}

function tell(deps: DraftDeps, scope: DraftCaller, { day, asked }: DraftPlace, found: RuleDraft) {
  const { clusterId, scopeId, caller } = scope;
  const details = { rows: found.events, compared: found.compared.events, state: found.state };
  const entry = readEntry('rule.draft', { clusterId, scopeId, query: [...asked], range: day.range }, details);
  return deps.audit.record({ ...entry, who: caller });
}

interface Wanted {
  readonly events: readonly DraftEvent[];
  readonly conditions: readonly AskedCondition[] | undefined;
}

async function draftOf(
  deps: DraftDeps,
  { caller }: DraftCaller,
  place: DraftPlace,
  { events, conditions: asked }: Wanted,
): Promise<RuleDraft> {
  const kind = draftKind(events);
  const { conditions, counts, compared, chosen } = await chosenOf(place, kind, events, asked);
  const head = { range: place.day.range, events: events.length, streams: [...kind.streams], compared };
  if (conditions.length === 0)
    return { state: 'nothing-shared', ...head, conditions: [], sigma: null, no_sigma: null, kql: null };
  const reach = await deps.reachOf(place.clusterId);
  const author = { author: caller.name, nowMs: deps.clock.now() };
  const isFree = asked === undefined;
  const sigma = await sigmaDraft(place, { events, conditions, chosen, isFree, reach, ...author });
  const on = new Set(sigma.chosen);
  const shown = conditions.map(({ path, operator, values }, position): DraftCondition => {
    const others = othersLeft(counts, [position]);
    const sigma_field = sigma.fields[position] ?? null;
    return { path: [...path], operator, values: [...values], is_on: on.has(position), sigma_field, others };
  });
  const kept = conditions.filter((_, position) => on.has(position));
  const kql = await kqlDraft(place, kind, kept);
  return { state: 'drafted', ...head, conditions: shown, sigma: sigma.rule, no_sigma: sigma.reason, kql };
}

/** The conditions that are offered, and the positions of those that are chosen: by the caller, or by what they leave. */
async function chosenOf(
  place: DraftPlace,
  kind: DraftKind,
  events: readonly DraftEvent[],
  asked: readonly AskedCondition[] | undefined,
) {
  if (asked) {
    const chosen = asked.flatMap(({ is_on }, position) => (is_on ? [position] : []));
    return { ...(await fulfilledBy(place, kind, asked, false)), chosen };
  }
  const found = await fulfilledBy(place, kind, candidatesOf(events), true);
  return { ...found, chosen: chooseConditions(found.conditions, found.counts) };
}

/** A field that Sigma has no name for would be lost to the rule. */
const UNNAMED = 3;

function candidatesOf(events: readonly DraftEvent[]): readonly DraftCandidate[] {
  const [source] = logSourcesOf(events);
  return draftCandidates(events, MOST_DRAFT_CONDITIONS).map((one) =>
    source && sigmaFieldOf(one.path, source, events) === null ? { ...one, doubt: one.doubt * UNNAMED } : one,
  );
}
