import { type InputOf, type SimulatedRow, type Simulation, say, type testExtractor } from '@tyrian/contract';
import { type AddedNames, readExtractor, simulate } from '@tyrian/ingest';
import { AppError } from '../../platform/app-error.ts';
import type { ExtractionScope } from './extractor-changes.ts';
import type { ExtractorLibrary } from './extractor-library.ts';
import { type UnparsedDeps, unparsedEvents } from './unparsed-events.ts';

// What a definition makes of lines: those of the sample pane, or the last events of a source that nothing could read.

const NO_ROWS = { rows: [], parsed: 0, errors: 0, columns: [] };
/** Characters of the text of one line that are shown. */
const SHOWN = 4_000;

/** Columns that some row fills, those of most rows first. */
function columnsOf(rows: readonly SimulatedRow[]): string[] {
  const filled = new Map<string, number>();
  for (const { columns } of rows)
    for (const name of Object.keys(columns)) filled.set(name, (filled.get(name) ?? 0) + 1);
  return [...filled].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
}

function simulated(
  { yaml, added }: { readonly yaml: string; readonly added: AddedNames },
  lines: readonly string[],
  nowMs: number,
): Simulation {
  if (!readExtractor(yaml, added).extractor) return { ...NO_ROWS, ok: false };
  const rows = simulate({ id: 1, yaml, added }, lines, nowMs).map(
    ({ reach, status, stream, time, columns, ext, entry, error }, at): SimulatedRow => ({
      raw: (lines[at] ?? '').slice(0, SHOWN),
      reach,
      // What our own decoders would make of it is not the matter here.
      parse_status: reach === 'not-taken' ? 'NLF' : status,
      ...(reach === 'not-taken'
        ? { stream: '', time: null, columns: {}, ext: {} }
        : { stream, time, columns, ext }),
      entry,
      reason: error,
    }),
  );
  return {
    rows,
    parsed: rows.filter(({ parse_status }) => parse_status === 'PAD').length,
    errors: rows.filter(({ parse_status }) => parse_status === 'PER').length,
    columns: columnsOf(rows),
    ok: true,
  };
}

export async function simulateExtractor(
  deps: UnparsedDeps & { readonly library: Pick<ExtractorLibrary, 'addedNames'> },
  scope: ExtractionScope,
  input: InputOf<typeof testExtractor>,
): Promise<Simulation> {
  const { yaml, samples = [], source, limit = 100 } = input;
  const added = await deps.library.addedNames(scope.clusterId);
  if (source === undefined) {
    const lines = samples.filter((line) => line.trim() !== '');
    const { clusterId, scopeId } = scope;
    // Samples are lines of events too.
    const entry = { action: 'extractor.simulate', who: scope.caller, clusterId, scopeId };
    await deps.audit.recordOften({ ...entry, details: { lines: lines.length } });
    return simulated({ yaml, added }, lines, deps.clock.now());
  }
  const { extractor, faults } = readExtractor(yaml, added);
  if (!extractor) {
    const [fault] = faults;
    throw new AppError('bad-input', say('extractors.cannotBeRead', { reason: fault?.message ?? '' }));
  }
  const events = await unparsedEvents(deps, scope, { source, limit });
  return simulated(
    { yaml, added },
    events.map(({ raw }) => raw),
    deps.clock.now(),
  );
}
