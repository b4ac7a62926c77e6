import { say } from '@tyrian/contract';
import type { PluginQuestion, PluginSchema, SchemaFound } from '@tyrian/kql';
import type { Plan } from '@tyrian/plan';
import { AppError } from '../../platform/app-error.ts';
import { compileRefusal } from './compile-refusal.ts';
import type { CompileResult } from './kql-compiler.ts';
import type { ResultRow } from './run-pieces.ts';

// The two steps of a query with bag_unpack or pivot: the data is asked which columns there are, then the text is
// compiled again with them. One step settles one operator's columns, and another behind it may ask in its turn.

interface Steps {
  compile(found: readonly PluginSchema[]): Promise<CompileResult>;
  /** The rows of a question's plan, within the boundary of the query. */
  ask(plan: Plan, filtersTime: boolean): Promise<readonly ResultRow[]>;
  /** The columns that the rows come to: what `schemaFound` answers. */
  columnsOf(question: PluginQuestion, rows: readonly ResultRow[]): Promise<SchemaFound>;
}

const MAX_STEPS = 8;

/** Compiles until the data has nothing more to say. Throws AppError `bad-input` with the diagnostics of a refusal. */
export async function settlePlugins({
  compile,
  ask,
  columnsOf,
}: Steps): Promise<Extract<CompileResult, { ok: true }>> {
  const found: PluginSchema[] = [];
  for (let step = 0; step <= MAX_STEPS; step += 1) {
    const compiled = await compile(found);
    if (!compiled.ok) throw compileRefusal(compiled.diagnostics);
    // Questions stand in the order of the text's pipes: a later one is asked when those before it are settled.
    const [question] = compiled.questions;
    if (!question) return compiled;
    const answer = await columnsOf(question, await ask(question.plan, compiled.filtersTime));
    if (!answer.ok) throw compileRefusal([answer.refusal]);
    found.push(answer.schema);
  }
  throw new AppError('bad-input', say('search.tooManySteps', { most: MAX_STEPS }));
}
