import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeEvents } from '../../../cli/sigma/store-sigma-events.ts';
import { type TestPlatform, testPlatform } from '../../../engines/testing/index.ts';
import { fewAtATime } from '../../../platform/few-at-a-time.ts';
import { buildCompany } from '../../demo/demo-company.ts';
import { ordinaryEvent } from '../../demo/demo-noise.ts';
import { createRandom } from '../../demo/seeded-random.ts';
import { askedPlans } from '../testing/asked-plans.ts';
import { corpusRules, hasCorpus, recordedEvents } from '../testing/corpus.ts';
import { detectionBench } from '../testing/detection-bench.ts';

// All rules of SigmaHQ over windows of recorded attacks mixed with the demo: what the prefilter names, against each rule alone.

const WINDOWS = 200;
/** Of so many rules one is asked alone; all of them with TYRIAN_WHOLE_CORPUS=1, which takes minutes. */
const ONE_OF = process.env.TYRIAN_WHOLE_CORPUS === '1' ? 1 : 6;

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform.close());

/** Each window is a scope of its own: a stretch of a recording between ordinary events. */
async function storeWindows(): Promise<string[]> {
  const random = createRandom(23);
  const world = { company: buildCompany(7), random: createRandom(11) };
  const recorded = recordedEvents();
  const scopeIds: string[] = [];
  for (let at = 0; at < WINDOWS; at += 1) {
    const length = Math.floor(random.next() ** 3 * 900);
    const from = Math.floor(random.next() * recorded.length);
    const ordinary = Array.from(
      { length: 40 },
      () => ordinaryEvent(world, Date.now() - random.next() * 60_000).text,
    );
    const scope = `${clusterId}-${at}`;
    await storeEvents(platform.eventStore, { clusterId, scope }, recorded.slice(from, from + length));
    await storeEvents(platform.eventStore, { clusterId, scope }, [ordinary.join('\n')]);
    scopeIds.push(scope);
  }
  return scopeIds;
}

describe.skipIf(!hasCorpus)('all rules of SigmaHQ over recorded attacks', () => {
  it('[R-E2] find with the prefilter in 200 random windows what each of them finds alone', async () => {
    const from = Date.now();
    const scopeIds = await storeWindows();
    const window = { from, to: Date.now() + 1 };
    const rules = corpusRules();
    const plans = askedPlans(
      detectionBench(platform, clusterId).queries,
      clusterId,
      rules.map(({ plan }) => plan),
    );
    const candidates = await plans.candidates(scopeIds, window);
    let [found, named, told] = [0, 0, 0];
    const missed: string[] = [];
    const refused: string[] = [];
    const asked = [...rules.entries()].filter(([number]) => number % ONE_OF === 0);
    await fewAtATime(asked, 2, async ([number, { plan, title }]) => {
      // What the engine refuses alone fails in its rule, which tells of it.
      const alone = await plans.rowsAlone(plan, scopeIds, window).catch(() => null);
      if (!alone) refused.push(title);
      found += alone?.size ?? 0;
      for (const scopeId of alone?.keys() ?? [])
        if (!candidates.get(scopeId)?.has(number)) missed.push(`${title} in ${scopeId}`);
      if (!alone || alone.size === 0) return;
      const scheduled = await plans.rowsOf(plan, scopeIds, window).catch(() => null);
      if (!scheduled) refused.push(title);
      else if (JSON.stringify([...scheduled].sort()) !== JSON.stringify([...alone].sort()))
        missed.push(`${title} has other rows when it is scheduled`);
      const [[scopeId, rows] = ['', 0]] = alone;
      const events = candidates.get(scopeId)?.get(number);
      const narrowed = await plans.rowsOf(plan, [scopeId], window, events).catch(() => null);
      if (events) told += 1;
      if (narrowed && narrowed.get(scopeId) !== rows) missed.push(`${title} has other rows of its events`);
    });
    for (const numbers of candidates.values()) named += numbers.size;
    expect(missed).toEqual([]);
    expect(refused.length, refused.join(', ')).toBeLessThan(5);
    expect(found).toBeGreaterThan(300 / ONE_OF);
    // Of most rules it is known which events they can be about.
    expect(told).toBeGreaterThan(50 / ONE_OF);
    // What is named runs: that must be few of the rules.
    expect(named).toBeLessThan((rules.length * WINDOWS) / 50);
  }, 900_000);
});
