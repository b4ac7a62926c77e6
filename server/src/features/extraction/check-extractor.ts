import {
  codedText,
  EXTRACTOR_CHECKS,
  type ExtractorCheck,
  type ExtractorCheckName,
  type ExtractorFinding,
  type ServerMessage,
  say,
} from '@tyrian/contract';
import {
  type AddedNames,
  type Extractor,
  type ExtractorFault,
  readExtractor,
  type SimulatedSample,
  simulate,
} from '@tyrian/ingest';

// What is looked at before an extractor reads what comes in. Pure: the others are handed in.

export interface OtherExtractor {
  readonly id: number;
  readonly name: string;
  readonly yaml: string;
  readonly isOn: boolean;
  /** The native one of a clone, and a clone of a native one: they take each other's place. */
  readonly isPair: boolean;
}

export interface CheckedDraft {
  readonly extractor: Extractor | null;
  readonly checks: readonly ExtractorCheck[];
  readonly ok: boolean;
}

const finding = (
  result: ExtractorFinding['result'],
  said: ServerMessage,
  line: number | null = null,
  column: number | null = null,
): ExtractorFinding => ({ result, ...codedText(said), line, column, fault: null });

/** The check under which a fault of the definition is told. */
function checkOf({ code, values }: ExtractorFault): ExtractorCheckName {
  const { stream, column, meant } = values;
  const isCase = String(stream ?? column ?? '').toLowerCase() === String(meant ?? '').toLowerCase();
  if (code === 'key-twice') return 'duplicates';
  if (code === 'unknown-stream' || code === 'unknown-column' || code === 'unknown-column-meant')
    return isCase ? 'duplicates' : 'new-names';
  return 'syntax';
}

const ofFault = (fault: ExtractorFault): ExtractorFinding => ({
  result: fault.severity === 'error' ? 'fail' : 'warn',
  message: fault.message,
  line: fault.line,
  column: fault.column,
  fault: { code: fault.code, values: { ...fault.values } },
});

/** The line of the definition that begins with the key; null when it is not to be seen. */
function lineOf(yaml: string, key: string): number | null {
  const at = yaml.split('\n').findIndex((line) => line.startsWith(`${key}:`));
  return at < 0 ? null : at + 1;
}

function repeatedStreams({ streams }: Extractor, yaml: string): ExtractorFinding[] {
  const twice = streams.filter((name, at) => streams.indexOf(name) !== at);
  return twice.map((name) =>
    finding('fail', say('extractors.namedTwice', { name }), lineOf(yaml, 'streams')),
  );
}

/** Sample lines with their number in the pane; empty ones count as lines and are no samples. */
function numbered(samples: readonly string[]): { readonly text: string; readonly line: number }[] {
  return samples.map((text, at) => ({ text, line: at + 1 })).filter(({ text }) => text.trim() !== '');
}

function matchFindings(
  lines: readonly { readonly line: number }[],
  rows: readonly SimulatedSample[],
): ExtractorFinding[] {
  if (lines.length === 0) return [finding('warn', say('extractors.noSamples'))];
  return rows.flatMap(({ reach, status, error }, at) => {
    const line = lines[at]?.line ?? null;
    if (reach === 'not-taken') return [finding('fail', say('extractors.sampleNotTaken'), line)];
    if (status === 'PAD') return [];
    if (error === null) return [finding('fail', say('extractors.sampleNoEntry'), line)];
    return [finding('fail', say('extractors.sampleNotRead', { reason: error }), line)];
  });
}

function repeatedLines(
  lines: readonly { readonly text: string; readonly line: number }[],
): ExtractorFinding[] {
  const first = new Map<string, number>();
  return lines.flatMap(({ text, line }) => {
    const before = first.get(text);
    if (before !== undefined)
      return [finding('warn', say('extractors.sampleTwice', { first: before }), line)];
    first.set(text, line);
    return [];
  });
}

function uniqueFindings(
  extractor: Extractor,
  yaml: string,
  lines: readonly { readonly text: string; readonly line: number }[],
  others: readonly OtherExtractor[],
  own: { readonly id: number | undefined; readonly added: AddedNames; readonly nowMs: number },
): ExtractorFinding[] {
  const found: ExtractorFinding[] = [];
  if (extractor.id !== undefined && extractor.id !== own.id)
    found.push(
      finding('fail', say('extractors.idGiven', { id: own.id ?? '–' }), lineOf(yaml, 'extractor-id')),
    );
  const name = extractor.name.toLowerCase();
  // A clone may be called like its native one: one of them is on.
  const same = others.find((other) => !other.isPair && other.name.toLowerCase() === name);
  if (same)
    found.push(
      finding(
        'fail',
        say('extractors.nameTaken', { name: extractor.name, other: same.id }),
        lineOf(yaml, 'source-name'),
      ),
    );
  return [...found, ...takenByOthers(lines, others, own)];
}

/** Samples that are shown to every other extractor: there may be hundreds of these. */
const SHARED_SAMPLES = 20;

/** Of the samples, those that another extractor that is on takes too; one line for each of them. */
function takenByOthers(
  lines: readonly { readonly text: string; readonly line: number }[],
  others: readonly OtherExtractor[],
  { added, nowMs }: { readonly added: AddedNames; readonly nowMs: number },
): ExtractorFinding[] {
  const some = lines.slice(0, SHARED_SAMPLES);
  const rivals = others.filter(({ isOn, isPair }) => isOn && !isPair);
  return rivals.flatMap(({ id, name, yaml }) => {
    const rows = simulate(
      { id, yaml, added },
      some.map(({ text }) => text),
      nowMs,
    );
    const at = rows.findIndex(({ reach }) => reach === 'read');
    if (at < 0) return [];
    const other = `${id} ${name}`;
    return [finding('warn', say('extractors.sampleOfOther', { other }), some[at]?.line ?? null)];
  });
}

function resultOf(findings: readonly ExtractorFinding[]): ExtractorCheck['result'] {
  if (findings.some(({ result }) => result === 'fail')) return 'fail';
  return findings.length > 0 ? 'warn' : 'pass';
}

/** Of a draft that has no number yet. */
const NO_ID = 2_147_483_646;

/** Every check, in order. `ok`: none fails. */
export function checkExtractorDraft(draft: {
  readonly yaml: string;
  readonly samples: readonly string[];
  /** Its number, where it has one. */
  readonly id: number | undefined;
  readonly others: readonly OtherExtractor[];
  /** What the tenant added to its data model. */
  readonly added?: AddedNames;
  readonly nowMs: number;
}): CheckedDraft {
  const { yaml, samples, id, others, added = {}, nowMs } = draft;
  const { extractor, faults } = readExtractor(yaml, added);
  const found = new Map<ExtractorCheckName, ExtractorFinding[]>(EXTRACTOR_CHECKS.map((check) => [check, []]));
  for (const fault of faults) found.get(checkOf(fault))?.push(ofFault(fault));
  const lines = numbered(samples);
  if (extractor) {
    found.get('duplicates')?.push(...repeatedStreams(extractor, yaml));
    const texts = lines.map(({ text }) => text);
    const rows = simulate({ id: id ?? NO_ID, yaml, added }, texts, nowMs);
    found.set('samples-match', matchFindings(lines, rows));
    found.set('extractor-unique', uniqueFindings(extractor, yaml, lines, others, { id, added, nowMs }));
  }
  found.set('samples-unique', repeatedLines(lines));
  const needsReading: readonly ExtractorCheckName[] = ['samples-match', 'extractor-unique'];
  const checks = EXTRACTOR_CHECKS.map((check): ExtractorCheck => {
    const findings = found.get(check) ?? [];
    const isSkipped = !extractor && needsReading.includes(check);
    return { check, result: isSkipped ? 'skip' : resultOf(findings), findings };
  });
  return { extractor, checks, ok: extractor !== null && checks.every(({ result }) => result !== 'fail') };
}
