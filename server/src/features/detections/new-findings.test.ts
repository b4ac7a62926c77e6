import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { nativeDetections } from '../workbooks/native-content.ts';
import { findsOnlyWithNewEvents } from './new-findings.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';

let platform: TestPlatform;
let bench: DetectionBench;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
});
afterAll(() => platform.close());

const planOf = (kql: string) => bench.planOf(kql);

const ASKED = "Dns | where DnsQuery has 'x'";

it.each([
  [ASKED, true],
  [`${ASKED} | summarize n = count() by SrcIpAddr | where n > 5`, true],
  [`${ASKED} | summarize n = count() by SrcIpAddr | where n > 5 and SrcIpAddr != '10.0.0.1'`, true],
  [`${ASKED} | summarize n = count(), t = max(TimeGenerated) by SrcIpAddr | where n >= 2 | sort by t`, true],
  [`${ASKED} | join kind=inner (ProcessEvent | where CommandLine has 'y') on DvcHostname`, true],
  [`${ASKED} | summarize n = count(), CompletedTime = max(IngestedTime) by SrcIpAddr | where n == 1`, true],
  // Fewer events than so many, an exact number, a share: any of them may come to hold when an old event leaves.
  [`${ASKED} | summarize n = count() by SrcIpAddr | where n <= 2`, false],
  [`${ASKED} | summarize n = count() by SrcIpAddr | where n == 1`, false],
  [`${ASKED} | summarize n = count(), m = dcount(DnsQuery) by SrcIpAddr | where m * 1.0 / n > 0.9`, false],
  [`${ASKED} | summarize n = count() by SrcIpAddr | where n > 1 and not(n > 5)`, false],
  [`${ASKED} | summarize t = min(TimeGenerated) by SrcIpAddr | where t > ago(5m)`, false],
  [`${ASKED} | join kind=leftanti (ProcessEvent | where CommandLine has 'y') on DvcHostname`, false],
  [`${ASKED} | top 3 by TimeGenerated`, false],
  [
    `${ASKED} | summarize n = count() by SrcIpAddr | summarize m = countif(n < 3) by bin(n, 10) | where m > 1`,
    false,
  ],
] as const)(
  '[R-E2] knows whether a rule can find something because events left its range: %s',
  async (kql, expected) => {
    expect(findsOnlyWithNewEvents(await planOf(kql))).toBe(expected);
  },
);

it('most shipped detections that look back find something only when an event comes in', async () => {
  const queries = nativeDetections().flatMap(({ draft }) =>
    draft.blocks.flatMap((block) => (block.type === 'kql' ? [block.body.query] : [])),
  );
  const looking = queries.filter((query) => query.includes('summarize'));
  const plans = await Promise.all(looking.map(planOf));
  expect(plans.filter(findsOnlyWithNewEvents).length).toBeGreaterThan(looking.length / 2);
});
