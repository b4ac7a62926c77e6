import type { OutputOf, readPreviewSamples } from '@tyrian/contract';
import type { QueryService } from '../search/query-service.ts';
import type { ResultRow } from './preview-store.ts';

// Events that a rule has found, read again when somebody asks: nothing of them is kept with the preview.

/** A row that counts carries the start of a bin: its events lie around it. */
const MARGIN_MS = 24 * 3_600_000;
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Samples = OutputOf<typeof readPreviewSamples>;

/** Empty where the rule has found nothing, or its rows name no events. */
export async function samplesOf(
  queries: QueryService,
  { clusterId, scopeId, userId }: { clusterId: string; scopeId: string; userId: string },
  { figures }: ResultRow,
): Promise<Samples> {
  const { uids = [], from = 0, to = 0 } = figures.samples ?? {};
  const named = uids.filter((uid) => UID.test(uid));
  if (named.length === 0) return { kql: '', start: 0, end: 0, fields_list: [], data: [] };
  const list = named.map((uid) => `guid(${uid})`).join(', ');
  const kql = `Events\n| where EventUid in (${list})\n| sort by TimeGenerated desc`;
  const range = { from: from - MARGIN_MS, to: to + MARGIN_MS };
  const answer = await queries.run({
    ...{ clusterId, userId, kql },
    scopes: [scopeId],
    timeRange: range,
    maxRows: named.length,
    queue: 'interactive',
  });
  const data = answer.rows.map((row) =>
    Object.fromEntries(
      answer.columns.flatMap(({ name }, at) =>
        row[at] === null || row[at] === '' || row[at] === undefined ? [] : [[name, row[at]]],
      ),
    ),
  );
  const fields = answer.columns.map(({ name }) => name).filter((name) => data.some((row) => name in row));
  return { kql, start: range.from, end: range.to, fields_list: fields, data };
}
