import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import type { AttackScenario } from '../demo/attack-scenario.ts';
import { cloudKeyScenario } from '../demo/cloud-key-scenario.ts';
import { buildCompany } from '../demo/demo-company.ts';
import { ordinaryEvent } from '../demo/demo-noise.ts';
import { phishingScenario } from '../demo/phishing-scenario.ts';
import { createRandom } from '../demo/seeded-random.ts';
import { webShellScenario } from '../demo/web-shell-scenario.ts';
import { nativeDetections } from '../workbooks/native-content.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';

// The shipped detections against whole recordings of attacks, and against an ordinary day.

const RECORDINGS = fileURLToPath(new URL('../../../../../shared/data/events/', import.meta.url));

let platform: TestPlatform;
let bench: DetectionBench;

beforeAll(async () => {
  platform = await testPlatform();
  bench = detectionBench(platform, await platform.newTenant());
});
afterAll(() => platform.close());

/** Names of the detections that raise something, with what they raise. */
async function raisedIn(scopeId: string): Promise<Map<string, string[]>> {
  const raised = new Map<string, string[]>();
  for (const detection of nativeDetections()) {
    const signals = await bench.raise(detection, scopeId);
    if (signals.length > 0)
      raised.set(
        detection.workbookId.slice(7),
        signals.map((signal) => signal.name),
      );
  }
  return raised;
}

describe.skipIf(!existsSync(RECORDINGS))('recordings of attacks', () => {
  it.each([
    ['empire_psexec', ['service-runs-shell', 'services-start-shell', 'encoded-powershell']],
    ['cmd_sam_copy_esentutl', ['sam-hive-copy']],
    ['schtask_create', ['scheduled-task-shell']],
    ['psh_mshta', ['mshta-execution']],
    ['cmd_bitsadmin', ['bitsadmin-download']],
    ['empire_wmi', ['wmi-process-creation', 'encoded-powershell']],
  ])('%s raises what it should', async (prefix, expected) => {
    const name = readdirSync(RECORDINGS).find((file) => file.startsWith(prefix));
    const body = gunzipSync(readFileSync(`${RECORDINGS}${name}`));
    const raised = await raisedIn(await bench.store(body));
    expect([...raised.keys()]).toEqual(expect.arrayContaining(expected));
    expect([...raised.values()].flat().length).toBeLessThan(12);
  });
});

describe('the stories of the demo', () => {
  const world = () => ({ company: buildCompany(7), random: createRandom(11) });
  const told = (scenario: AttackScenario, startMs: number) =>
    scenario.tell(world(), startMs).map((line) => line.text);

  it.each([
    [
      phishingScenario,
      [
        'office-starts-shell',
        'mshta-execution',
        'encoded-powershell',
        'kerberoasting',
        'discovery-burst',
        'lsass-memory-dump',
        'lsass-process-access',
        'sam-hive-copy',
        'psexec-use',
        'service-runs-shell',
        'wmi-process-creation',
        'run-key-persistence',
        'event-log-cleared',
        'rare-executable-download',
      ],
    ],
    [
      webShellScenario,
      [
        'web-injection',
        'web-server-starts-shell',
        'reverse-shell',
        'linux-tool-download',
        'cron-download-job',
        'ssh-authorized-keys',
        'linux-logs-removed',
      ],
    ],
    [
      cloudKeyScenario,
      [
        'brute-force-success',
        'aws-console-login-without-mfa',
        'aws-access-key-created',
        'aws-trail-stopped',
        'aws-s3-mass-download',
        'aws-admin-policy-attached',
      ],
    ],
  ] as const)('$name', async (scenario, expected) => {
    const startMs = Math.floor((platform.clock.now() - 3 * 3_600_000) / 1_800_000) * 1_800_000;
    const raised = await raisedIn(await bench.store(told(scenario, startMs)));
    expect([...raised.keys()]).toEqual(expect.arrayContaining([...expected]));
  });

  it('raise one signal for one act, though the audit log and Sysmon both tell of it', async () => {
    const startMs = platform.clock.now() - 3 * 3_600_000;
    const raised = await raisedIn(await bench.store(told(webShellScenario, startMs)));
    for (const names of raised.values()) expect(names).toEqual([...new Set(names)]);
  });

  it('are silent on an ordinary day', async () => {
    const quiet = world();
    const endMs = platform.clock.now();
    const lines = Array.from({ length: 30_000 }, (_, index) => {
      const timeMs = endMs - Math.round(((30_000 - index) / 30_000) * 6 * 3_600_000);
      return ordinaryEvent(quiet, timeMs).text;
    });
    const raised = await raisedIn(await bench.store(lines));
    expect(Object.fromEntries(raised)).toEqual({});
  });
});
