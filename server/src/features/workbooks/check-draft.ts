import type { Block, DraftProblem, SignalBlock, WorkbookDraft } from '@tyrian/contract';
import { placeholdersOf } from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import { analysePlan } from '../detections/analyse-plan.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import { boundariesOf } from '../detections/schedule-boundaries.ts';
import type { CompileResult } from '../search/kql-compiler.ts';
import { attackMismatch } from './attack-index.ts';
import { suggestedLookback } from './suggest-lookback.ts';
import type { WorkbookFacts } from './workbook-store.ts';

// Reads a draft as the scheduler will: does every query compile, does every field that a signal names exist? What
// is wrong is told with its place, and nothing with an error is saved.

export interface DraftCheck {
  readonly problems: readonly DraftProblem[];
  readonly facts: WorkbookFacts;
  /** Columns of the query above the last signal block, or of the last query. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export type CompileForCheck = (kql: string, unknownColumns: 'warn' | 'error') => Promise<CompileResult>;

const problem = (
  block: Block | null,
  field: string,
  code: string,
  message: string,
  more: Partial<Pick<DraftProblem, 'severity' | 'hint' | 'span'>> = {},
): DraftProblem => ({
  block_id: block?.block_id ?? null,
  field,
  severity: more.severity ?? 'error',
  code,
  message,
  ...(more.hint === undefined ? {} : { hint: more.hint }),
  span: more.span ?? null,
});

function checkSchedule(draft: WorkbookDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  try {
    boundariesOf(draft.schedule);
  } catch (error) {
    problems.push(problem(null, 'schedule.cron', 'WB101', (error as Error).message));
  }
  if (draft.schedule.mode !== 'off' && detectionsIn(draft.blocks).length === 0) {
    problems.push(
      problem(null, 'schedule.mode', 'WB102', 'There is nothing to run: no signal block below a KQL block', {
        hint: 'Add a signal block, or switch the schedule off.',
      }),
    );
  }
  return problems;
}

/** A warning for a rule that counts within one window alone. */
function checkLookback(draft: WorkbookDraft, block: Block, plan: Plan): DraftProblem[] {
  // A schedule with a mistake is told of already.
  if (checkSchedule(draft).length > 0) return [];
  const minutes = suggestedLookback(plan, draft.schedule);
  if (minutes === null) return [];
  const message =
    'The query counts over several events, and each run sees only what came in since the last one';
  const hint = `Look back ${minutes} minutes, or events that fall into two runs are never counted together.`;
  const found = problem(block, 'schedule.lookback_minutes', 'WB103', message, { severity: 'warning', hint });
  return [{ ...found, suggested: minutes }];
}

function checkFields(block: SignalBlock, columns: ReadonlySet<string>): DraftProblem[] {
  const { body } = block;
  const problems: DraftProblem[] = [];
  const missing = (field: string): boolean => !columns.has(field) && !columns.has(field.split('.')[0] ?? '');
  const hint = `The query yields ${[...columns].slice(0, 12).join(', ')}${columns.size > 12 ? ' …' : ''}.`;
  for (const { field, start, end } of placeholdersOf(body.name)) {
    if (!missing(field)) continue;
    const span = { start, end };
    problems.push(problem(block, 'name', 'WB203', `The query yields no column ${field}`, { hint, span }));
  }
  const entities = [
    ...body.suspects.map((each, index) => ({ ...each, place: `suspects.${index}` })),
    ...body.targets.map((each, index) => ({ ...each, place: `targets.${index}` })),
  ];
  for (const { field, place } of entities) {
    if (missing(field)) {
      problems.push(problem(block, place, 'WB204', `The query yields no column ${field}`, { hint }));
    }
  }
  if (entities.length === 0) {
    problems.push(problem(block, 'suspects', 'WB202', 'A signal needs at least one suspect or target'));
  }
  return problems;
}

function checkSignal(block: SignalBlock, columns: ReadonlySet<string> | null): DraftProblem[] {
  const mismatch = attackMismatch(block.body);
  return [
    ...(mismatch ? [problem(block, mismatch.field, 'WB205', mismatch.message)] : []),
    ...(columns ? checkFields(block, columns) : []),
  ];
}

/** Checks a draft and reads the facts that lists show. */
export async function checkDraft(draft: WorkbookDraft, compile: CompileForCheck): Promise<DraftCheck> {
  const problems: DraftProblem[] = checkSchedule(draft);
  const streams = new Set<string>();
  const feeds = new Set(detectionsIn(draft.blocks).map((detection) => detection.kql.block_id));
  const yielded = new Map<string, readonly { name: string; type: string }[] | null>();
  let columns: readonly { name: string; type: string }[] = [];
  let above: string | null = null;
  for (const block of draft.blocks) {
    if (block.type === 'kql') {
      above = block.block_id;
      const result = await compile(block.body.query, feeds.has(block.block_id) ? 'error' : 'warn');
      for (const { severity, code, message, hint, span } of result.diagnostics) {
        problems.push(problem(block, 'query', code, message, { severity, span, ...(hint ? { hint } : {}) }));
      }
      if (result.ok) {
        for (const stream of analysePlan(result.plan).streams) streams.add(stream);
        if (feeds.has(block.block_id)) problems.push(...checkLookback(draft, block, result.plan));
        columns = result.columns.map(({ name, type }) => ({ name, type }));
      }
      yielded.set(block.block_id, result.ok ? columns : null);
    }
    if (block.type === 'signal') {
      if (above === null) {
        problems.push(problem(block, 'name', 'WB201', 'A signal block needs a KQL block above it'));
      }
      const names = above === null ? null : yielded.get(above);
      problems.push(...checkSignal(block, names ? new Set(names.map((column) => column.name)) : null));
    }
  }
  return { problems, columns, facts: factsOf(draft, [...streams].sort()) };
}

function factsOf(draft: WorkbookDraft, streams: string[]): WorkbookFacts {
  const first = detectionsIn(draft.blocks)[0]?.signal.body;
  return {
    streams: streams.map((stream) => (stream === '*' ? 'Events' : stream)),
    detection: first !== undefined,
    score: first?.score ?? null,
    confidence: first?.confidence ?? null,
    tactic: first?.tactic ?? '',
    technique: first?.technique ?? '',
    sub_technique: first?.sub_technique ?? '',
  };
}
