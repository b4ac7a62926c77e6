import { kqlLiteral } from './kql-literal.ts';
import { type Pipeline, type PipelineStage, readPipeline } from './kql-pipeline.ts';

// Filter in and filter out change the query's text, so that what the analyst sees is what runs. A condition on
// a result goes to the end, but before the stages that only cut, order or draw; a condition on a field of the
// events goes right behind the source and its filters.

export interface ValueCondition {
  /** As KQL writes it: a column, or a path below one such as `Ext.user.name`. */
  readonly reference: string;
  /** KQL type of the column: `string`, `long`, `datetime` … */
  readonly type: string;
  readonly value: unknown;
  readonly keep: boolean;
}

export type ConditionPosition = 'result' | 'source';

const CUTS_ORDERS_OR_DRAWS = new Set([
  'take',
  'limit',
  'sort',
  'order',
  'top',
  'sample',
  'render',
  'serialize',
  'project-reorder',
  'as',
  'count',
]);

/** The condition as KQL, e.g. `User == "root"`, `isempty(User)`. */
export function conditionText(condition: ValueCondition): string {
  const { reference, type, value, keep } = condition;
  const isText = type === 'string';
  const subject = type === 'dynamic' ? `tostring(${reference})` : reference;
  if (value === null || value === undefined || (isText && value === '')) {
    const test = isText ? 'empty' : 'null';
    return `is${keep ? '' : 'not'}${test}(${reference})`;
  }
  if (type === 'real' && value === 'NaN') return `${keep ? '' : 'not('}isnan(${reference})${keep ? '' : ')'}`;
  return `${subject} ${keep ? '==' : '!='} ${kqlLiteral(value, type)}`;
}

const sameText = (a: string, b: string): boolean => a.replace(/\s+/g, ' ') === b.replace(/\s+/g, ' ');

function stageAfterWhich(pipeline: Pipeline, position: ConditionPosition): PipelineStage | undefined {
  const { stages } = pipeline;
  if (position === 'source') {
    let index = 0;
    while (stages[index + 1]?.operator === 'where') index++;
    return stages[index];
  }
  let index = stages.length - 1;
  while (index > 0 && CUTS_ORDERS_OR_DRAWS.has(stages[index]!.operator)) index--;
  return stages[index];
}

/** Adds the condition to the query; takes its opposite away; leaves the text alone when it is there already. */
export function addCondition(
  text: string,
  condition: ValueCondition,
  position: ConditionPosition,
  emptySource = 'Events',
): string {
  const wanted = `where ${conditionText(condition)}`;
  const pipeline = readPipeline(text);
  if (pipeline.stages.length === 0) {
    const lead = text.trimEnd();
    return `${lead === '' ? '' : `${lead}\n`}${emptySource}\n| ${wanted}`;
  }
  if (pipeline.stages.some((stage) => sameText(stage.text, wanted))) return text;
  const opposite = `where ${conditionText({ ...condition, keep: !condition.keep })}`;
  const contrary = pipeline.stages.find((stage) => sameText(stage.text, opposite));
  if (contrary) return `${text.slice(0, contrary.start)}| ${wanted}${text.slice(contrary.end)}`;
  return insertAfter(text, stageAfterWhich(pipeline, position)!, wanted);
}

/** Puts a stage on a line of its own behind another one, and behind the comment that stands beside that. */
function insertAfter(text: string, stage: PipelineStage, wanted: string): string {
  const comment = /^[ \t]*\/\/[^\n]*/.exec(text.slice(stage.end))?.[0] ?? '';
  const at = stage.end + comment.length;
  const rest = text.slice(at);
  const tail = rest === '' || /^\s*[\n;]/.test(rest) ? rest : `\n${rest.trimStart()}`;
  return `${text.slice(0, at)}\n| ${wanted}${tail}`;
}

/** Adds `| stage` at the end of the query, before its closing semicolon. */
export function appendStage(text: string, stage: string): string {
  const last = readPipeline(text).stages.at(-1);
  return last ? insertAfter(text, last, stage) : text;
}

/** The query without one of its stages; `span` is the stage without its pipe. */
export function withoutStage(text: string, span: { readonly start: number; readonly end: number }): string {
  const before = text.slice(0, span.start).replace(/\s*\|\s*$/, '');
  const after = text.slice(span.end).trim();
  return after === '' ? before : `${before}\n${after}`;
}

/** True when a stage of the query filters on the event time, which then wins over the picker. */
export function filtersEventTime(text: string): boolean {
  return readPipeline(text).stages.some(
    (stage) => stage.operator === 'where' && /\b(TimeGenerated|Timestamp|_time)\b/i.test(stage.text),
  );
}
