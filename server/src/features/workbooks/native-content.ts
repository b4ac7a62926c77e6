import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RuleSample, scheduleSchema, signalBodySchema, type WorkbookDraft } from '@tyrian/contract';
import { parse } from 'yaml';
import { z } from 'zod';
import { detectionsIn } from '../detections/rule-definition.ts';

// The detections that come with Tyrian: one YAML file each in content/detections, with samples that prove it.

const sampleSchema = z.object({
  name: z.string().min(1),
  /** Signals that the sample raises; 0 for one that must stay silent. */
  signals: z.number().int().min(0),
  /** Records as a source sends them: lines of text, or JSON objects. */
  events: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).min(1),
});
export type DetectionSample = z.output<typeof sampleSchema>;

const fileSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{3,60}$/),
  name: z.string().min(3),
  description: z.string().min(20),
  directory: z.string().min(1),
  schedule: scheduleSchema.prefault({ mode: 'streamed' }),
  kql: z.string().min(10),
  signal: signalBodySchema,
  samples: z.array(sampleSchema).min(2),
});

export interface NativeDetection {
  readonly workbookId: string;
  readonly draft: WorkbookDraft;
  readonly samples: readonly DetectionSample[];
  /** Changes when anything that tenants see changes. */
  readonly hash: string;
}

const FOLDER = fileURLToPath(new URL('../../../../content/detections/', import.meta.url));

/** Reads one file. Throws with the name of the file and what is wrong. */
export function readDetection(name: string, text: string): NativeDetection {
  const parsed = fileSchema.safeParse(parse(text));
  if (!parsed.success) throw new Error(`content/detections/${name}: ${z.prettifyError(parsed.error)}`);
  const { id, kql, signal, samples, ...rest } = parsed.data;
  if (name !== `${id}.yaml`)
    throw new Error(`content/detections/${name}: the file is named for its id, ${id}`);
  const draft: WorkbookDraft = {
    ...rest,
    stage: 'prod',
    tags: signal.tags,
    blocks: [
      { block_id: 'query', type: 'kql', collapsed: false, body: { query: kql.trim(), duration: '24h' } },
      { block_id: 'signal', type: 'signal', collapsed: false, body: signal },
    ],
  };
  const hash = createHash('sha256').update(JSON.stringify(draft)).digest('hex');
  return { workbookId: `native-${id}`, draft, samples, hash };
}

/** Its samples as those of any rule. */
const samplesOf = ({ samples }: NativeDetection): RuleSample[] =>
  samples.map(({ name, signals, events }) => ({
    name,
    expect: signals > 0 ? 'match' : 'no match',
    events: events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))),
  }));

let kept: readonly NativeDetection[] | undefined;

/** All detections of content/detections, by id; read once. */
export function nativeDetections(): readonly NativeDetection[] {
  kept ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readDetection(name, readFileSync(`${FOLDER}${name}`, 'utf8')));
  return kept;
}

/** What each of these detections asks, and its samples. */
export const shippedRules = (detections = nativeDetections()) =>
  detections.map((detection) => ({
    ruleId: detection.workbookId,
    queries: detectionsIn(detection.draft.blocks).map(({ kql }) => kql.body.query),
    samples: samplesOf(detection),
  }));
