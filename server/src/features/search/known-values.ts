import { EVENT_COLUMNS } from '@tyrian/catalog';
import { type knownValues, type OutputOf, type SearchRange, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { QueryService } from './query-service.ts';
import { COLUMN_TYPE, type SeenFields } from './seen-fields.ts';

// The values of fields that have few: what the editor offers after `==`. They are asked in KQL through the query
// service, so tenant and scope stay where every search has them. A bounded sample answers, and the answer serves for
// a minute; whoever asks while it is being read waits for the same answer.

type Known = OutputOf<typeof knownValues>;

export interface AskedValues {
  readonly clusterId: string;
  readonly scopeId: string;
  /** A column, or `Ext.path`. */
  readonly field: string;
  /** Empty: all streams. */
  readonly streams: readonly string[];
}

export interface KnownValues {
  /** Throws AppError `bad-input` when events have no such field. */
  valuesOf(asked: AskedValues, range: SearchRange): Promise<Known>;
}

interface Kept {
  readonly untilMs: number;
  readonly answer: Promise<Known>;
}

const SAMPLE = 20_000;
/** A field with more different values has none worth a list. */
const MAX_VALUES = 200;
const LONGEST_VALUE = 200;
const KEPT_MS = 60_000;
const MAX_KEPT = 500;
/** Ranges that begin and end in the same minutes share an answer. */
const RANGE_STEP_MS = 60_000;

export function createKnownValues(deps: {
  readonly queries: QueryService;
  readonly seenFields: SeenFields;
  readonly clock: Clock;
}): KnownValues {
  const { queries, seenFields, clock } = deps;
  const kept = new Map<string, Kept>();

  const read = async ({ clusterId, scopeId, field, streams }: AskedValues, range: SearchRange) => {
    const { fields } = await seenFields.sampledFieldsOf(clusterId, [scopeId]);
    const isKnown = EVENT_COLUMNS.some(({ name }) => name === field);
    const isSeen = fields.some(({ type, path }) => type !== COLUMN_TYPE && `Ext.${path}` === field);
    if (!isKnown && !isSeen) throw new AppError('bad-input', say('search.noEventField', { field }));
    const { rows } = await queries.run({
      clusterId,
      scopes: [scopeId],
      kql: sampleQuery(field, streams),
      timeRange: range,
      maxRows: MAX_VALUES + 1,
      queue: 'interactive',
    });
    const values = rows.map(([value, count]) => ({ value: String(value), count: Number(count) }));
    const sampled = values.reduce((sum, { count }) => sum + count, 0);
    return { values: values.length > MAX_VALUES ? [] : values, sampled };
  };

  return {
    valuesOf: (asked, range) => {
      const { clusterId, scopeId, field, streams } = asked;
      const from = Math.floor(range.from / RANGE_STEP_MS) * RANGE_STEP_MS;
      const to = Math.ceil(range.to / RANGE_STEP_MS) * RANGE_STEP_MS;
      const key = JSON.stringify([clusterId, scopeId, field, [...streams].sort(), from, to]);
      const known = kept.get(key);
      if (known && known.untilMs > clock.now()) return known.answer;
      const answer = read(asked, { from, to });
      kept.set(key, { untilMs: clock.now() + KEPT_MS, answer });
      const oldest = kept.keys().next();
      if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
      answer.catch(() => kept.delete(key));
      return answer;
    },
  };
}

function sampleQuery(field: string, streams: readonly string[]): string {
  const named = streams.map((stream) => JSON.stringify(stream)).join(', ');
  return [
    'Events',
    ...(streams.length === 0 ? [] : [`| where Stream in (${named})`]),
    `| project Value = tostring(${referenceTo(field)})`,
    '| where isnotempty(Value)',
    `| take ${SAMPLE}`,
    `| where strlen(Value) <= ${LONGEST_VALUE}`,
    '| summarize Count = count() by Value',
    '| sort by Count desc, Value asc',
  ].join('\n');
}

/** `Ext.a.b` and `Ext["a-b"]`, as KQL reads a path. */
function referenceTo(field: string): string {
  if (!field.startsWith('Ext.')) return field;
  return field
    .slice('Ext.'.length)
    .split('.')
    .reduce((path, part) => `${path}[${JSON.stringify(part)}]`, 'Ext');
}
