import {
  type Block,
  codedText,
  type DraftProblem,
  type MessageValue,
  placeholdersOf,
  type SignalBlock,
  say,
  sayDiagnostic,
  type WorkbookDraft,
} from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import { analysePlan } from '../detections/analyse-plan.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import { boundariesOf, cronProblem } from '../detections/schedule-boundaries.ts';
import type { CompileResult } from '../search/kql-compiler.ts';
import { attackMismatch } from './attack-index.ts';
import { suggestedLookback } from './suggest-lookback.ts';
import type { WorkbookFacts } from './workbook-store.ts';

// Reads a draft as the scheduler will: does every query compile, does every field that a signal names exist? What
// is wrong is told with its path, and nothing with an error is saved.

export interface DraftCheck {
  readonly problems: readonly DraftProblem[];
  readonly facts: WorkbookFacts;
  /** Columns of the query above the last signal block, or of the last query. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export type CompileForCheck = (kql: string, unknownColumns: 'warn' | 'error') => Promise<CompileResult>;

/** Where the compiler's words are not known as data, they are text. */
function hintOf(hint: MessageValue | undefined): Pick<DraftProblem, 'hint' | 'hintCode' | 'hintValues'> {
  if (hint === undefined) return {};
  if (typeof hint !== 'object') return { hint: String(hint) };
  return { hint: hint.text, hintCode: hint.code, hintValues: hint.values };
}

const problem = (
  block: Block | null,
  field: string,
  code: string,
  said: MessageValue,
  more: Partial<Pick<DraftProblem, 'severity' | 'span'>> & { hint?: MessageValue | undefined } = {},
): DraftProblem => ({
  block_id: block?.block_id ?? null,
  field,
  severity: more.severity ?? 'error',
  code,
  ...(typeof said === 'object' ? codedText(said) : { message: String(said) }),
  ...hintOf(more.hint),
  span: more.span ?? null,
});

function compilerProblem(block: Block, found: CompileResult['diagnostics'][number]): DraftProblem {
  const { code, severity, span, hint, hintText } = found;
  const told = hint === undefined ? undefined : sayDiagnostic({ message: hint, text: hintText });
  return problem(block, 'query', code, sayDiagnostic(found), { severity, span, hint: told });
}

function checkSchedule(draft: WorkbookDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  try {
    boundariesOf(draft.schedule);
  } catch (error) {
    problems.push(problem(null, 'schedule.cron', 'WB101', cronProblem(error)));
  }
  if (draft.schedule.mode !== 'off' && detectionsIn(draft.blocks).length === 0) {
    problems.push(
      problem(null, 'schedule.mode', 'WB102', say('rules.nothingToRun'), {
        hint: say('rules.nothingToRunHint'),
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
  const said = say('rules.countsOverRuns');
  const hint = say('rules.lookBack', { minutes });
  const found = problem(block, 'schedule.lookback_minutes', 'WB103', said, { severity: 'warning', hint });
  return [{ ...found, suggested: minutes }];
}

function checkFields(block: SignalBlock, columns: ReadonlySet<string>): DraftProblem[] {
  const { body } = block;
  const problems: DraftProblem[] = [];
  const missing = (field: string): boolean => !columns.has(field) && !columns.has(field.split('.')[0] ?? '');
  const shown = `${[...columns].slice(0, 12).join(', ')}${columns.size > 12 ? ' …' : ''}`;
  const hint = say('rules.columns', { columns: shown });
  for (const { field, start, end } of placeholdersOf(body.name)) {
    if (!missing(field)) continue;
    const span = { start, end };
    problems.push(problem(block, 'name', 'WB203', say('rules.noColumn', { field }), { hint, span }));
  }
  const entities = [
    ...body.suspects.map((each, index) => ({ ...each, path: `suspects.${index}` })),
    ...body.targets.map((each, index) => ({ ...each, path: `targets.${index}` })),
  ];
  for (const { field, path } of entities) {
    if (missing(field)) {
      problems.push(problem(block, path, 'WB204', say('rules.noColumn', { field }), { hint }));
    }
  }
  if (entities.length === 0) {
    problems.push(problem(block, 'suspects', 'WB202', say('rules.noEntity')));
  }
  return problems;
}

function checkSignal(block: SignalBlock, columns: ReadonlySet<string> | null): DraftProblem[] {
  const mismatch = attackMismatch(block.body);
  return [
    ...(mismatch ? [problem(block, mismatch.field, 'WB205', mismatch.said)] : []),
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
      problems.push(...result.diagnostics.map((each) => compilerProblem(block, each)));
      if (result.ok) {
        for (const stream of analysePlan(result.plan).streams) streams.add(stream);
        if (feeds.has(block.block_id)) problems.push(...checkLookback(draft, block, result.plan));
        columns = result.columns.map(({ name, type }) => ({ name, type }));
      }
      yielded.set(block.block_id, result.ok ? columns : null);
    }
    if (block.type === 'signal') {
      if (above === null) {
        problems.push(problem(block, 'name', 'WB201', say('rules.signalAboveQuery')));
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
