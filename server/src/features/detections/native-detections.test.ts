import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { attackMismatch } from '../workbooks/attack-index.ts';
import { checkDraft } from '../workbooks/check-draft.ts';
import { type NativeDetection, nativeDetections, readDetection } from '../workbooks/native-content.ts';
import { type DetectionBench, detectionBench } from './testing/detection-bench.ts';

// Every shipped detection is proven: each of its samples is decoded, stored and searched on the real engine.

/** Names that analysts search for; their files keep the identifiers that tenants have signals and switches of. */
const TRADE_NAMES = [
  ['psexec-use', 'PsExec execution'],
  ['ssh-authorized-keys', 'SSH authorized key added'],
  ['dns-tunnel', 'DNS tunnelling'],
  ['kerberoasting', 'Kerberoasting (RC4 service ticket)'],
  ['dcsync', 'DCSync by a non-DC account'],
  ['sam-hive-copy', 'SAM or NTDS database dump'],
  ['brute-force-success', 'Password guessing succeeded'],
  ['reverse-shell', 'Reverse shell'],
  ['web-injection', 'SQL or command injection attempt'],
] as const;

/** The parts of each entry of the knowledge base. */
const KNOWLEDGE = ['What it means', 'What to check first', 'How to respond', 'Known false positives'];

let platform: TestPlatform;
let clusterId: string;
let bench: DetectionBench;
type Sample = NativeDetection['samples'][number];
const scopes = new Map<Sample, string>();

/** The scope that holds the events of a sample. */
function scopeOf(sample: Sample): string {
  const scopeId = scopes.get(sample);
  if (scopeId === undefined) throw new Error(`the sample ${sample.name} was not stored`);
  return scopeId;
}

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
  // At once, so that they share inserts.
  const samples = nativeDetections().flatMap((detection) => detection.samples);
  await Promise.all(samples.map(async (sample) => scopes.set(sample, await bench.store(sample.events))));
});
afterAll(() => platform.close());

describe('shipped detections', () => {
  it('are at least 120, each with a sample that fires and one that does not', () => {
    expect(nativeDetections().length).toBeGreaterThanOrEqual(120);
    for (const { draft, samples } of nativeDetections()) {
      expect
        .soft(
          samples.some((sample) => sample.signals > 0),
          draft.name,
        )
        .toBe(true);
      expect
        .soft(
          samples.some((sample) => sample.signals === 0),
          draft.name,
        )
        .toBe(true);
    }
  });

  it('[R-D] say in one style what was seen, why it matters, what to check first and what is harmless', () => {
    for (const { draft } of nativeDetections()) {
      const block = draft.blocks[1];
      const text = block?.type === 'signal' ? (block.body.kb ?? '') : '';
      const parts = new Map(
        text.split(/^## /m).flatMap((part): [string, string][] => {
          const [head = '', ...lines] = part.trim().split('\n');
          return head === '' ? [] : [[head, lines.join('\n').trim()]];
        }),
      );
      expect.soft([...parts.keys()], draft.name).toEqual(KNOWLEDGE);
      for (const part of parts.values()) expect.soft(part, draft.name).toMatch(/[.?]$/);
      expect.soft(parts.get('What to check first')?.match(/^- /gm)?.length, draft.name).toBeGreaterThan(1);
      expect.soft(draft.description, draft.name).toMatch(/^\S.*\.$/);
    }
  });

  it('[R-D] stand in folders named as ATT&CK names their tactic, and bear the names of the trade', () => {
    for (const { draft } of nativeDetections()) {
      const block = draft.blocks[1];
      const tactic = block?.type === 'signal' ? block.body.tactic : '';
      expect.soft(draft.directory, draft.name).toMatch(new RegExp(`^Tyrian/\\w+/${tactic}$`));
    }
    const named = new Map(nativeDetections().map(({ workbookId, draft }) => [workbookId, draft.name]));
    for (const [id, name] of TRADE_NAMES) expect.soft(named.get(`native-${id}`)).toBe(name);
  });

  it.each(nativeDetections().map((detection) => [detection.draft.name, detection] as const))(
    '%s',
    async (_name, detection) => {
      const checked = await checkDraft(detection.draft, (kql, unknownColumns) =>
        bench.queries.compile({ clusterId, scopes: [], kql, unknownColumns }),
      );
      expect(checked.problems).toEqual([]);
      expect(checked.facts.streams).not.toContain('Events');
      const block = detection.draft.blocks[1];
      expect(block?.type === 'signal' && attackMismatch(block.body)).toBe(null);
      for (const sample of detection.samples) {
        const scopeId = scopeOf(sample);
        const raised = await bench.raise(detection, scopeId);
        expect
          .soft(
            raised.map((signal) => signal.name),
            sample.name,
          )
          .toHaveLength(sample.signals);
        for (const { name, finding } of raised) {
          expect.soft(name, sample.name).not.toMatch(/\?/);
          expect.soft(finding.suspects.length + finding.targets.length, sample.name).toBeGreaterThan(0);
        }
      }
    },
  );
});

describe('the query over all shipped detections', () => {
  it('lets run whatever finds something in its samples, and few of the others', async () => {
    const firing = nativeDetections().map(({ workbookId, samples }) => {
      const sample = samples.find((each) => each.signals > 0);
      if (!sample) throw new Error(`${workbookId} has no sample that fires`);
      return { workbookId, scopeId: scopeOf(sample) };
    });
    const all = await bench.candidates(
      nativeDetections(),
      firing.map(({ scopeId }) => scopeId),
    );
    let others = 0;
    for (const { workbookId, scopeId } of firing) {
      const candidates = all.get(scopeId) ?? new Set();
      expect.soft(candidates, workbookId).toContain(workbookId);
      others += candidates.size - 1;
    }
    const asked = firing.length * (nativeDetections().length - 1);
    expect(others / asked).toBeLessThan(0.1);
  });
});

describe('a detection file', () => {
  const text = 'id: x-y-z\nname: Some name\n';
  it('is refused with its name and what is missing', () => {
    expect(() => readDetection('x-y-z.yaml', text)).toThrow(/x-y-z\.yaml[\s\S]*description/);
  });
});
