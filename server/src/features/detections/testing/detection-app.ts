import type { Block, Endpoint, OutputOf, WorkbookDraft } from '@tyrian/contract';
import { type TestAnswer, type TestApp, testApp } from '../../../engines/testing/index.ts';
import { createArrivalMarks } from '../../../platform/arrivals/arrival-marks.ts';
import { newId } from '../../../platform/new-id.ts';
import { type Company, type SeedRole, seedCompany } from '../../identity/users/testing/seed-company.ts';
import { type NativeDetection, nativeDetections } from '../../workbooks/native-content.ts';
import type { DetectionScheduler } from '../detection-scheduler.ts';

// A whole server with a company in it, and short ways to say what tests of detections need.

interface Where {
  readonly clusterId?: string;
  readonly scopeId?: string;
}

export interface EventRow {
  readonly time: number;
  /** Time of ingest; the same as `time` when absent. */
  readonly ingested?: number;
  readonly stream?: string;
  readonly columns?: Readonly<Record<string, unknown>>;
}

export interface DetectionApp {
  readonly test: TestApp;
  readonly company: Company;
  readonly scheduler: DetectionScheduler;
  /** Calls as somebody, in the first scope of tenant A unless said otherwise. */
  call<E extends Endpoint>(
    endpoint: E,
    input: object,
    as?: SeedRole | 'nobody',
    where?: Where,
  ): Promise<TestAnswer<OutputOf<E>>>;
  /** Stores events as they are after decoding. */
  store(rows: readonly EventRow[], where?: Where): Promise<void>;
  /** Moves the clock on by so many minutes at once, as after a time without a worker, and runs what is due then. */
  runAfter(minutes: number): Promise<void>;
}

type Shipped = readonly string[] | 'all';

const shippedOnes = (wanted: Shipped): readonly NativeDetection[] =>
  nativeDetections().filter(({ workbookId }) => wanted === 'all' || wanted.includes(workbookId));

/** Signs in whom it is asked for; their sessions are young by the clock of the test, which may jump by hours. */
function youngSessions(test: TestApp, company: Company): (role: SeedRole) => Promise<string> {
  const sessions = new Map<SeedRole, { ssid: string; atMs: number }>();
  return async (role) => {
    const atMs = test.platform.clock.now();
    const known = sessions.get(role);
    if (known && Math.abs(atMs - known.atMs) < 20 * 60_000) return known.ssid;
    const ssid = await company.signIn(role);
    sessions.set(role, { ssid, atMs });
    return ssid;
  };
}

/**
 * Starts on a fresh database at `nowMs`. Of the detections that come with Tyrian it has those with these ids, e.g.
 * `native-dcsync`, none when absent: each is one more to run in every minute that a test passes.
 */
export async function detectionApp(nowMs: number, shipped: Shipped = []): Promise<DetectionApp> {
  const test = await testApp({ nowMs, shippedDetections: shippedOnes(shipped) });
  const company = await seedCompany(test.platform);
  const ssidOf = youngSessions(test, company);
  const work = test.composed.work.find(({ name }) => name === 'detections');
  if (!work) throw new Error('the server has no detection scheduler');
  const scheduler = work as DetectionScheduler;
  const { eventStore, postgres } = test.platform;
  const arrivals = createArrivalMarks(postgres);
  return {
    test,
    company,
    scheduler,
    call: async (endpoint, input, as = 'engineer', where = {}) =>
      test.call(endpoint, {
        ...(as === 'nobody' ? {} : { ssid: await ssidOf(as) }),
        params: {
          clusterId: where.clusterId ?? company.a.clusterId,
          scopeId: where.scopeId ?? company.a.scope,
        },
        input: { scope_id: where.scopeId ?? company.a.scope, ...input },
      }),
    store: async (rows, where = {}) => {
      const clusterId = where.clusterId ?? company.a.clusterId;
      const scopeId = where.scopeId ?? company.a.scope;
      for (const { time, ingested = time } of rows) await arrivals.expect(clusterId, scopeId, ingested);
      const lines = rows.map(({ time, ingested = time, stream = 'ProcessEvent', columns = {} }) =>
        JSON.stringify({
          TimeGenerated: new Date(time).toISOString(),
          IngestedTime: new Date(ingested).toISOString(),
          Stream: stream,
          Scope: scopeId,
          ParseStatus: 'PAD',
          ...columns,
        }),
      );
      await eventStore.insertRows(clusterId, Buffer.from(`${lines.join('\n')}\n`), { dedupToken: newId() });
    },
    runAfter: async (minutes) => {
      test.platform.clock.advance(minutes * 60_000);
      while (await scheduler.round());
    },
  };
}

/** A detection draft: the query, and a signal that names `ActorUsername` and `DvcHostname`. */
export function detectionDraft(
  query: string,
  options: Partial<Omit<WorkbookDraft, 'blocks'>> & { readonly signal?: Partial<SignalFields> } = {},
): object {
  const { signal, ...draft } = options;
  const blocks: unknown[] = [
    { block_id: 'query', type: 'kql', body: { query } },
    {
      block_id: 'signal',
      type: 'signal',
      body: {
        name: '_$ActorUsername_ ran a tool on _$DvcHostname_',
        tactic: 'Execution',
        technique: 'T1059',
        sub_technique: 'T1059.001',
        score: 7,
        confidence: 'High',
        suspects: [{ type: 'user', field: 'ActorUsername' }],
        targets: [{ type: 'host', field: 'DvcHostname' }],
        tags: ['lab'],
        kb: '## What it means\nA test.',
        ...signal,
      },
    },
  ];
  return { name: 'Tool use', schedule: { mode: 'streamed' }, blocks, ...draft };
}

type SignalFields = (Block & { type: 'signal' })['body'];
