import { type RuleSample, ruleSampleSchema, SAMPLE_EXPECTATIONS, SAMPLE_LIMITS } from '@tyrian/contract';
import { z } from 'zod';
import { readYaml } from '../workbooks/read-yaml.ts';

// Samples of rules in files: a list `samples` in the file of the rule, and the layout of SigmaHQ, where each rule has a
// folder below `regression_data` with an info.yml and its events as JSON. What cannot be read becomes a sample that fails
// and says why, so that nobody believes it was run.

/** A file by its path, parted by `/`. */
export interface SampleFile {
  readonly path: string;
  readonly text: string;
}

export const isSampleFile = (path: string): boolean =>
  /(?:^|\/)regression_data\/(?:.*\/)?(?:info\.ya?ml|[^/]+\.json)$/i.test(path);
/** Nothing below it is a rule. */
export const isBelowRegressionData = (path: string): boolean => /(?:^|\/)regression_data\//i.test(path);

const event = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);
const fileSampleSchema = z.union([
  z.strictObject({
    name: ruleSampleSchema.shape.name,
    expect: z.enum(SAMPLE_EXPECTATIONS),
    events: z.array(event).min(1).max(SAMPLE_LIMITS.events),
  }),
  // As the detections of Tyrian say it: how many signals come of the events.
  z.strictObject({
    name: ruleSampleSchema.shape.name,
    signals: z.number().int().min(0),
    events: z.array(event).min(1).max(SAMPLE_LIMITS.events),
  }),
]);

const textOf = (one: z.output<typeof event>): string => (typeof one === 'string' ? one : JSON.stringify(one));

const unreadable = (why: string, of: unknown): RuleSample => ({
  name: `Cannot be read: ${why}`.slice(0, SAMPLE_LIMITS.nameChars),
  expect: 'match',
  events: [(typeof of === 'string' ? of : (JSON.stringify(of) ?? '')).slice(0, 2_000) || '-'],
});

/** Names that differ, within the limits of a rule. */
function bounded(samples: readonly RuleSample[]): readonly RuleSample[] {
  const seen = new Set<string>();
  let chars = 0;
  const kept: RuleSample[] = [];
  for (const sample of samples) {
    chars += sample.events.reduce((sum, { length }) => sum + length, 0);
    if (chars > SAMPLE_LIMITS.chars || kept.length === SAMPLE_LIMITS.samples) {
      kept[kept.length - 1] = unreadable('more samples than a rule may have', sample.name);
      break;
    }
    let name = sample.name;
    for (let count = 2; seen.has(name); count += 1)
      name = `${sample.name.slice(0, SAMPLE_LIMITS.nameChars - 6)} (${count})`;
    seen.add(name);
    kept.push({ ...sample, name });
  }
  return kept;
}

/** Samples of a list as a file writes it. */
export function samplesOfList(list: unknown): readonly RuleSample[] {
  if (!Array.isArray(list)) return [unreadable('a list is expected', list)];
  return bounded(
    list.map((one): RuleSample => {
      const parsed = fileSampleSchema.safeParse(one);
      if (!parsed.success) return unreadable('name, expect (match or no match) and events are expected', one);
      const { name, events } = parsed.data;
      const expect =
        'expect' in parsed.data ? parsed.data.expect : parsed.data.signals > 0 ? 'match' : 'no match';
      return { name, expect, events: events.map(textOf) };
    }),
  );
}

const HAS_SAMPLES = /^samples:/m;
const DOCUMENT_START = /^---.*$/m;

/** The samples that stand in the text of a rule, of the document at a position. */
export function samplesInText(text: string, position: number): readonly RuleSample[] {
  if (!HAS_SAMPLES.test(text)) return [];
  const documents = text.split(DOCUMENT_START).filter((part) => part.trim() !== '');
  const part = documents[position] ?? '';
  if (!HAS_SAMPLES.test(part)) return [];
  const read = readYaml(part);
  if (!read.ok) return [unreadable(read.problems[0]?.said.text ?? 'no YAML', part)];
  return samplesOfList((read.value as { samples?: unknown }).samples);
}

const infoSchema = z.object({
  rule_metadata: z.array(z.object({ id: z.string() })).min(1),
  regression_tests_info: z
    .array(
      z.object({
        name: z.string().default('Regression'),
        path: z.string(),
        match_count: z.number().int().nullable().default(1),
      }),
    )
    .min(1),
});

/** Events of a file: one JSON value, a list of them, or one after the other. */
function eventsOf(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map((one) => textOf(one as z.output<typeof event>));
  } catch {
    return text.split('\n').filter((line) => line.trim() !== '');
  }
}

/** Samples of the layout of SigmaHQ, by the Sigma id of their rule. */
export function regressionSamples(files: readonly SampleFile[]): ReadonlyMap<string, readonly RuleSample[]> {
  const byId = new Map<string, RuleSample[]>();
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (!/\/info\.ya?ml$/i.test(path)) continue;
    const read = readYaml(text);
    const info = infoSchema.safeParse(read.ok ? read.value : null);
    if (!info.success) continue;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const samples = info.data.regression_tests_info.map((one): RuleSample => {
      const file = `${folder}${one.path
        .split('/')
        .at(-1)
        ?.replace(/\.\w+$/, '')}.json`;
      const events = eventsOf(texts.get(file) ?? '').filter((line) => line.length <= SAMPLE_LIMITS.chars);
      if (events.length === 0 || events.length > SAMPLE_LIMITS.events)
        return unreadable('its events are expected as JSON beside info.yml', one.path);
      const expect = one.match_count === 0 ? 'no match' : 'match';
      return { name: one.name.slice(0, SAMPLE_LIMITS.nameChars), expect, events: [...events] };
    });
    for (const { id } of info.data.rule_metadata) byId.set(id, [...(byId.get(id) ?? []), ...samples]);
  }
  return new Map([...byId].map(([id, samples]) => [id, bounded(samples)]));
}
