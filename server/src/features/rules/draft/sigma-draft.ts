import { randomUUID } from 'node:crypto';
import type { RuleDraft } from '@tyrian/contract';
import {
  type DraftCondition,
  type DraftEvent,
  draftRuleText,
  draftSamplesText,
  draftValueOf,
  judgeSigma,
  kqlOf,
  logSourcesOf,
  type NamedCondition,
  readOneSigma,
  type SigmaReach,
  saysType,
  sigmaFieldOf,
  sigmaLibrary,
} from '@tyrian/sigma';
import { type DraftPlace, matchesOf } from './draft-queries.ts';

// The conditions as a Sigma rule: compiled as it will run, and run over the selected events before it is counted.

interface Wanted {
  readonly events: readonly DraftEvent[];
  readonly conditions: readonly DraftCondition[];
  /** Positions among the conditions. */
  readonly chosen: readonly number[];
  /** Whether conditions may be added and left out, so that it matches. */
  readonly isFree: boolean;
  readonly author: string;
  readonly nowMs: number;
  readonly reach: SigmaReach;
}

type SigmaPart = NonNullable<RuleDraft['sigma']>;
type Source = ReturnType<typeof logSourcesOf>[number];

export interface SigmaDraft {
  readonly rule: SigmaPart | null;
  readonly reason: RuleDraft['no_sigma'];
  /** What is chosen after all. */
  readonly chosen: readonly number[];
  /** The name of each condition's field in the rule; null where Sigma has none. */
  readonly fields: readonly (string | null)[];
}

/** Log sources that are tried, the narrowest first. */
const MOST_SOURCES = 3;

export async function sigmaDraft(place: DraftPlace, wanted: Wanted): Promise<SigmaDraft> {
  const sources = logSourcesOf(wanted.events).slice(0, MOST_SOURCES);
  const [first] = sources;
  const { chosen, conditions } = wanted;
  if (!first) return { rule: null, reason: 'no-log-source', chosen, fields: conditions.map(() => null) };
  const fieldsOf = (source: Source) =>
    conditions.map(({ path }) => sigmaFieldOf(path, source, wanted.events));
  let reason: RuleDraft['no_sigma'] = 'no-field';
  for (const source of sources) {
    const fields = fieldsOf(source);
    const kept = wanted.isFree ? withEvent(wanted, source, fields) : chosen;
    const rule = await matchingRule(place, wanted, source, kept, fields);
    if (rule) return { rule, reason: null, chosen: kept, fields };
    if (kept.some((position) => fields[position] !== null)) reason = 'does-not-match';
  }
  return { rule: null, reason, chosen, fields: fieldsOf(first) };
}

/** A log of Windows holds events of every kind: the rule names the one that it is about. */
function withEvent(
  { conditions, chosen }: Wanted,
  source: Source,
  fields: readonly (string | null)[],
): readonly number[] {
  if (saysType(source)) return chosen;
  const event = conditions.findIndex(({ path }, at) => path[0] === 'EventID' && fields[at] === 'EventID');
  return event < 0 || chosen.includes(event) ? chosen : [...chosen, event].toSorted((a, b) => a - b);
}

/** The rule of these conditions; fewer of them where it does not match every selected event otherwise. */
async function matchingRule(
  place: DraftPlace,
  wanted: Wanted,
  source: Source,
  kept: readonly number[],
  fields: readonly (string | null)[],
): Promise<SigmaPart | null> {
  let named = kept.flatMap((position): readonly NamedCondition[] => {
    const [condition, field] = [wanted.conditions[position], fields[position]];
    return condition && field ? [{ ...condition, field }] : [];
  });
  const all = new Set(place.uids).size;
  const reach = reachWith(wanted);
  while (named.length > 0) {
    const text = draftRuleText(headOf(wanted), source, named);
    const kql = compiled(text, reach);
    if (kql !== null) {
      const { selected } = await matchesOf(place, kql, 'selected');
      if (selected === all) return verified(place, wanted, source, { text, kql });
    }
    named = named.slice(0, -1);
  }
  return null;
}

async function verified(
  place: DraftPlace,
  { events }: Wanted,
  { category, product, service }: Source,
  { text, kql }: { readonly text: string; readonly kql: string },
): Promise<SigmaPart> {
  const { others } = await matchesOf(place, kql, 'day');
  return {
    text,
    kql,
    samples: draftSamplesText('The events that the rule was drafted from', raws(events)),
    log_source: { category: category ?? null, product: product ?? null, service: service ?? null },
    others,
  };
}

const raws = (events: readonly DraftEvent[]): readonly string[] =>
  events.map((event) => draftValueOf(event, ['Raw']));

/** What the tenant has; what the events have was perhaps not seen yet. */
function reachWith({ reach, events, conditions }: Wanted): SigmaReach {
  const { streams, extPaths } = reach;
  const below = conditions.flatMap(({ path: [name, ...rest] }) => (name === 'Ext' ? [rest.join('.')] : []));
  const own = events.map((event) => draftValueOf(event, ['Stream']));
  return {
    ...reach,
    ...(streams ? { streams: new Set([...streams, ...own]) } : {}),
    ...(extPaths ? { extPaths: new Set([...extPaths, ...below]) } : {}),
  };
}

/** The query that the text compiles to; null when it does not. */
function compiled(text: string, reach: SigmaReach): string | null {
  const read = readOneSigma(text);
  if (!read.ok) return null;
  const verdict = judgeSigma(read, sigmaLibrary([read]), reach);
  return verdict.verdict === 'runs' && verdict.compiled ? kqlOf(verdict.compiled) : null;
}

function headOf({ events, author, nowMs }: Wanted) {
  const streams = [...new Set(events.map((event) => draftValueOf(event, ['Stream'])))];
  const count = events.length === 1 ? 'One' : String(events.length);
  const what = `${streams.length === 1 ? `${streams[0]} ` : ''}${events.length === 1 ? 'Event' : 'Events'}`;
  const date = new Date(nowMs).toISOString().slice(0, 10);
  return {
    id: randomUUID(),
    title: `Draft From ${count} ${what}`,
    description: `Drafted on ${date} from what the selected events share. Review what it finds before it is switched on.`,
    author,
    date,
  };
}
