import { type Block, say } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { newId } from '../../platform/new-id.ts';
import { nativeDetections } from '../workbooks/native-content.ts';
import { asksElsewhere, coverOf } from './rule-cover.ts';
import { askedPlans } from './testing/asked-plans.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';

// Two queries tell for all detections and all scopes of a tenant which of them may find something.

const MINUTE = 60_000;

let platform: TestPlatform;
let clusterId: string;
let bench: DetectionBench;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
});
afterAll(() => platform.close());

const native = (id: string) => {
  const found = nativeDetections().find(({ workbookId }) => workbookId === `native-${id}`);
  if (!found) throw new Error(`there is no detection ${id}`);
  return found;
};
const sampleOf = (id: string, name: string) => {
  const found = native(id).samples.find((sample) => sample.name === name);
  if (!found) throw new Error(`${id} has no sample ${name}`);
  return found.events;
};
const queryOf = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'kql' ? [block.body.query] : [])).join('');
const planOf = (kql: string) => bench.planOf(kql);
/** Texts that the cover of a query compares with. */
const coverText = async (kql: string): Promise<string | null> => {
  const cover = coverOf(await planOf(kql));
  return cover && JSON.stringify(cover);
};

describe('what may find something in a window', () => {
  it('[R-E2] asks the engine three times for all shipped detections and all scopes of a tenant', async () => {
    const ids = ['encoded-powershell', 'defender-disabled', 'lsass-memory-dump', 'brute-force-success'];
    const scopeIds: string[] = [];
    for (const id of ids) {
      const sample = native(id).samples.find(({ signals }) => signals > 0);
      scopeIds.push(await bench.store(sample?.events ?? []));
    }
    const spy = vi.spyOn(platform.eventStore, 'query');
    const candidates = await bench.candidates(nativeDetections(), scopeIds);
    const asked = spy.mock.calls.filter(([, { sql }]) => /countIf|groupArrayIf/i.test(sql));
    spy.mockRestore();
    // Which literals the events hold, then the covers that are left, with and without a look back.
    expect(asked).toHaveLength(3);
    for (const [at, id] of ids.entries()) {
      const found = candidates.get(scopeIds[at] ?? '') ?? new Set();
      expect.soft(found, id).toContain(`native-${id}`);
      expect.soft(found.size, id).toBeLessThan(6);
    }
  });

  it('[R-E2] takes as many events as a group of the rule needs, as far back as it looks', async () => {
    const rule = [native('brute-force-success'), native('password-spray')];
    const full = sampleOf('brute-force-success', 'ten failures and a success');
    const [enough, few] = [await bench.store(full), await bench.store(full.slice(-8))];
    const found = await bench.candidates(rule, [enough, few]);
    expect([...(found.get(enough) ?? [])]).toEqual(['native-brute-force-success']);
    expect([...(found.get(few) ?? [])]).toEqual([]);
    // Groups in which nothing came in tell nothing, as the rules say (`CompletedTime`).
    const nowMs = platform.clock.now();
    const later = { from: nowMs + 2 * MINUTE, to: nowMs + 3 * MINUTE };
    expect([...((await bench.candidates(rule, [enough], later)).get(enough) ?? [])]).toEqual([]);
    // Else the last failure, which one compares with the last success, may have left its range: it is asked again.
    const plans = await Promise.all(
      rule.map(({ draft }) => planOf(queryOf(draft.blocks).replace(/^.*CompletedTime.*\n/m, ''))),
    );
    const again = await askedPlans(bench.queries, clusterId, plans, 40).candidates([enough], later);
    expect([...(again.get(enough)?.keys() ?? [])]).toEqual([0]);
  });

  it('[R-E2] counts older events by fields that those of the window do not have', async () => {
    const scopeId = newId();
    const nowMs = Date.now();
    const stored = (atMs: number, event: object) => {
      const moment = new Date(atMs).toISOString().replace('T', ' ').slice(0, 23);
      return {
        Stream: 'ProcessEvent',
        Scope: scopeId,
        Raw: '',
        ...event,
        TimeGenerated: moment,
        IngestedTime: moment,
      };
    };
    const rows = [
      stored(nowMs - 30 * MINUTE, { Ext: { q: 'ab' } }),
      stored(nowMs, { CommandLine: 'has the needle' }),
    ];
    await platform.eventStore.insertRows(
      clusterId,
      Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
      {
        dedupToken: scopeId,
      },
    );
    const others = Array.from(
      { length: 120 },
      (_, at) => `ProcessEvent | where CommandLine contains 'word ${at}'`,
    );
    const twice =
      "ProcessEvent | where CommandLine contains 'needle' or tostring(Ext.q) contains 'ab' | summarize n = count() by Scope | where n >= 2";
    const plans = await Promise.all([twice, `${twice} | extend two = true`, ...others].map(planOf));
    const { candidates } = askedPlans(bench.queries, clusterId, plans, 60);
    const found = await candidates([scopeId], { from: nowMs - 1000, to: nowMs + 1000 });
    expect([...(found.get(scopeId)?.keys() ?? [])]).toEqual([0, 1]);
  });

  it('[R-E2] tells the same of a window of so many events that their marks cannot be held', async () => {
    const scopeId = await bench.store(
      sampleOf('encoded-powershell', native('encoded-powershell').samples[0]?.name ?? ''),
    );
    const marked = (await bench.candidates(nativeDetections(), [scopeId])).get(scopeId);
    const { queries } = bench;
    const runPlan = queries.runPlan.bind(queries);
    let refused = 0;
    const spy = vi.spyOn(queries, 'runPlan').mockImplementation((plan, request) => {
      if (!/"event_marks".*"value":5000/.test(JSON.stringify(plan))) return runPlan(plan, request);
      refused += 1;
      const tooLarge = new AppError('bad-input', say('engines.resultTooLarge', { most: '64 MiB' }), {
        limit: 'result_bytes',
      });
      return Promise.reject(tooLarge);
    });
    const found = (await bench.candidates(nativeDetections(), [scopeId])).get(scopeId);
    spy.mockRestore();
    expect(refused).toBe(1);
    expect(found).toEqual(marked);
    expect(found).toContain('native-encoded-powershell');
  });

  it('[R-E2] tells the others apart when the filter of one of them fails on the events', async () => {
    const scopeId = await bench.store(
      sampleOf('encoded-powershell', native('encoded-powershell').samples[0]?.name ?? ''),
    );
    const { queries } = bench;
    const runPlan = queries.runPlan.bind(queries);
    let failed = 0;
    const spy = vi.spyOn(queries, 'runPlan').mockImplementation((plan, request) => {
      if (!JSON.stringify(plan).includes('authorized_keys')) return runPlan(plan, request);
      failed += 1;
      return Promise.reject(new Error('this filter fails'));
    });
    const found = (await bench.candidates(nativeDetections(), [scopeId])).get(scopeId) ?? new Set();
    expect(failed).toBeGreaterThan(0);
    // The one that fails is known now: the others are not asked with it again.
    failed = 0;
    const again = (await bench.candidates(nativeDetections(), [scopeId])).get(scopeId);
    spy.mockRestore();
    expect(failed).toBe(0);
    expect(again).toEqual(found);
    expect(found).toContain('native-ssh-authorized-keys');
    expect(found).toContain('native-encoded-powershell');
    expect(found.size).toBeLessThan(nativeDetections().length / 2);
  });
});

describe('the cover of a rule', () => {
  it('follows computed columns, unions, joins and tables that are named', async () => {
    const computed = "ProcessEvent | extend Text = strcat(CommandLine, ' ') | where Text contains 'needle'";
    expect(await coverText(computed)).toMatch(/strcat.*CommandLine|CommandLine.*strcat/s);
    const named =
      "let A = ProcessEvent | where CommandLine has 'one'; union A, (Dns | where DnsQuery has 'two')";
    const text = await coverText(named);
    expect(text).toContain('one');
    expect(text).toContain('two');
    const joined =
      "Dns | where DnsQuery has 'two' | join kind=leftanti (ProcessEvent | where CommandLine has 'one') on DvcHostname";
    expect(await coverText(joined)).toMatch(/two.*one/s);
  });

  it('is none where rows come without events, or from all of them', async () => {
    expect(await coverText('Dns | summarize count()')).toBe(null);
    expect(await coverText('print 1')).toBe(null);
    expect(await coverText('Dns | summarize n = count() by SrcIpAddr | where n > 5')).toBe(null);
    expect(await coverText("union (Dns | where DnsQuery has 'two'), ProcessEvent")).toBe(null);
  });

  it('leaves out what answers something else each time, and asks no more than the rule', async () => {
    const plan = await planOf("Dns | where DnsQuery has 'two' | extend r = rand() | where r < 0.5 and r > 0");
    expect(JSON.stringify(coverOf(plan))).not.toContain('rand');
    const elsewhere = "Dns | where DnsQuery has 'two' and SrcIpAddr in ((ProcessEvent | project DvcIpAddr))";
    expect(asksElsewhere(await planOf(elsewhere))).toBe(true);
    expect(asksElsewhere(plan)).toBe(false);
  });

  it.each([
    ["Dns | where DnsQuery has 'x' | summarize n = count() by SrcIpAddr | where n >= 5", 5, false],
    [
      "Dns | where DnsQuery has 'x' | summarize n = dcount(DnsQuery) by SrcIpAddr | where n > 5 and SrcIpAddr != ''",
      6,
      false,
    ],
    [
      "Dns | where DnsQuery has 'x' | summarize n = countif(EventResult == 'Failure') by SrcIpAddr | where n >= 3",
      3,
      true,
    ],
    [
      "Dns | where DnsQuery has 'x' | summarize n = count(), m = dcount(DnsQuery) by SrcIpAddr | where n > 9 or m >= 4",
      4,
      false,
    ],
    [
      "Dns | where DnsQuery has 'x' | summarize n = count(), m = max(SrcPortNumber) by SrcIpAddr | where n > 9 or m >= 4",
      null,
      false,
    ],
    ["Dns | where DnsQuery has 'x' | summarize n = count() by SrcIpAddr | where n <= 5", null, false],
    [
      "Dns | where DnsQuery has 'x' | mv-expand a = split(DnsQuery, '.') | summarize n = count() by SrcIpAddr | where n > 9",
      null,
      false,
    ],
    ["Dns | where DnsQuery has 'x' | summarize n = sum(1) by SrcIpAddr | where n > 9", null, false],
  ] as const)('asks what the filter of its groups asks: %s', async (kql, least, isConditional) => {
    const threshold = coverOf(await planOf(kql))?.threshold ?? null;
    expect(threshold?.least ?? null).toBe(least);
    expect((threshold?.also ?? null) !== null).toBe(isConditional);
  });
});
