import { NO_CATALOG, type TenantCatalog } from '@tyrian/catalog';
import { MAX_QUERY_LENGTH } from '@tyrian/contract';
import { type Saying, say, saying } from '@tyrian/diagnostics';
import type {
  compileKql,
  ExtField,
  FunctionCheck,
  PluginQuestion,
  PluginSchema,
  QueryReach,
  SavedFunction,
  SchemaFound,
} from '@tyrian/kql';
import { bindDeps } from '../../platform/bind-deps.ts';
import { compileRefusal } from './compile-refusal.ts';
import { COMPILE_TURN_LIMITS, type CompileTurn } from './compile-turns.ts';
import type { CompileWorkers } from './compile-workers.ts';
import { type CompileWork, createCompileWorkers, TOOK_TOO_LONG } from './compile-workers.ts';
import type { ResultRow } from './run-pieces.ts';

// KQL text to plan, in worker threads with a limit on text and time; they alone load the language service, which is
// large. A plan is kept by text and schema, unless the text asks for the present time: then the plan holds that moment
// and serves once. One run asks for its rows, its histogram and its cost at once: they share a compile. The limit on
// time counts what the processor worked for the text, so that a busy machine refuses no good query.

export type CompileResult = ReturnType<typeof compileKql>;

export interface CompileRequest {
  readonly id: number;
  readonly text: string;
  readonly schemaVersion: string;
  readonly extFields: readonly ExtField[];
  readonly nowMs: number;
  readonly unknownColumns: 'warn' | 'error';
  readonly pluginSchemas: readonly PluginSchema[];
  readonly functions: readonly SavedFunction[];
  readonly catalog: TenantCatalog;
  readonly several: boolean;
  readonly reach?: QueryReach;
  /** A function to check instead of a text to compile. */
  readonly check?: SavedFunction;
  /** What the data answered to a question of a plug-in, instead of a text to compile. */
  readonly answered?: { readonly question: PluginQuestion; readonly rows: readonly ResultRow[] };
}

export type CompileAnswer =
  | { readonly id: number; readonly result: CompileResult }
  | { readonly id: number; readonly check: FunctionCheck }
  | { readonly id: number; readonly columns: SchemaFound }
  | { readonly id: number; readonly fault: string };

export interface CompileOptions {
  /** Names fields, functions and catalog; equal versions mean equal ones. */
  readonly schemaVersion: string;
  readonly extFields: readonly ExtField[];
  /** Functions that a text may name without declaring them. */
  readonly functions?: readonly SavedFunction[];
  /** What the tenant added: streams, fields, tables; nothing when absent. */
  readonly catalog?: TenantCatalog;
  readonly nowMs: number;
  readonly unknownColumns?: 'warn' | 'error';
  /** Columns of plug-ins that were found in the data. */
  readonly pluginSchemas?: readonly PluginSchema[];
  /** The caller can hold several tables. */
  readonly several?: boolean;
  /** The scopes that the text may name. */
  readonly reach?: QueryReach;
  /** On whose behalf; the platform's own when absent. */
  readonly turn?: CompileTurn;
}

export interface KqlCompiler {
  /**
   * Mistakes of the text and limits that it passes come back as diagnostics. Throws AppError `too-many` when the user
   * has too many texts waiting, or had too many ended.
   */
  compile(text: string, options: CompileOptions): Promise<CompileResult>;
  /** Whether a function can be saved beside those of the options. */
  check(wanted: SavedFunction, options: CompileOptions): Promise<FunctionCheck>;
  /** The columns of a plug-in from what the data answered to its question: `schemaFound`. */
  columnsOf(question: PluginQuestion, rows: readonly ResultRow[], turn?: CompileTurn): Promise<SchemaFound>;
  /** What the workers did so far. */
  work(): CompileWork;
  close(): Promise<void>;
}

type Answered = Exclude<CompileAnswer, { readonly fault: string }>;

const RESULTS_KEPT = 2000;
/** A text that asks for the present time shares a compile whose present is at most so much earlier. */
const SAME_MOMENT_MS = 1000;
const NAMES_SCOPE = /\b(?:workspace|app|cluster|database)\s*\(/;
const ASKS_FOR_NOW = /\b(?:now|ago)\s*\(/;

interface KqlCompilerParts {
  readonly kept: Map<string, CompileResult>;
  nextId: number;
  readonly workers: CompileWorkers<CompileRequest, CompileAnswer>;
  readonly limitMs: number;
  readonly begun: Map<string, { readonly nowMs: number; readonly result: Promise<CompileResult> }>;
}

/** `limitMs` is the most that one text may work, starting up not counted. Workers start when they are needed. */
export function createKqlCompiler({
  size = 2,
  limitMs = 1000,
  spareAfterMs = 15_000,
  turnLimits = COMPILE_TURN_LIMITS,
} = {}): KqlCompiler {
  const options = { size, limitMs, spareAfterMs, turnLimits };
  const workers = createCompileWorkers<CompileRequest, CompileAnswer>(options);
  const kept = new Map<string, CompileResult>();
  // What is compiled now, by text, schema and on whose behalf: nobody's compile waits for the turn of another.
  const begun = new Map<string, { readonly nowMs: number; readonly result: Promise<CompileResult> }>();
  const parts: KqlCompilerParts = { kept, nextId: 1, workers, limitMs, begun };
  return { work: workers.work, close: workers.close, ...bindDeps(parts, { compile, check, columnsOf }) };
}

function keep({ kept }: KqlCompilerParts, key: string, result: CompileResult): void {
  kept.set(key, result);
  const oldest = kept.keys().next();
  if (kept.size > RESULTS_KEPT && !oldest.done) kept.delete(oldest.value);
}

async function ask(
  parts: KqlCompilerParts,
  request: Omit<CompileRequest, 'id'>,
  turn: CompileTurn,
): Promise<Answered> {
  const id = parts.nextId++;
  const answer = await parts.workers.ask(turn, { ...request, id });
  if (answer === TOOK_TOO_LONG) return { id, result: refused(request.text, tooSlow(parts.limitMs)) };
  if ('fault' in answer) throw new Error(`the KQL compiler failed: ${answer.fault}`);
  return answer;
}

/** `key`: what to keep the result by; null when it serves once. */
async function compileNow(
  parts: KqlCompilerParts,
  request: Omit<CompileRequest, 'id'>,
  turn: CompileTurn,
  key: string | null,
): Promise<CompileResult> {
  const answer = await ask(parts, request, turn);
  if (!('result' in answer)) throw unexpected(answer);
  if (key !== null && answer.result.diagnostics[0]?.code !== TOO_SLOW) keep(parts, key, answer.result);
  return answer.result;
}

async function compile(
  parts: KqlCompilerParts,
  text: string,
  options: CompileOptions,
): Promise<CompileResult> {
  const { kept, begun } = parts;
  if (text.length > MAX_QUERY_LENGTH) return refused(text, TOO_LONG);
  const request = requestOf(text, options);
  const isTimeless = !asksForNow(text, request.functions);
  const found = request.pluginSchemas.length === 0 ? '' : JSON.stringify(request.pluginSchemas);
  const reach = namesScope(text, request.functions) ? JSON.stringify(request.reach ?? null) : '';
  const kind = `${request.unknownColumns} ${request.several}`;
  const key = [request.schemaVersion, kind, found, reach, text].join('\n');
  const known = isTimeless ? kept.get(key) : undefined;
  if (known) return known;
  const turn = options.turn ?? NOBODY;
  const ownKey = `${turn.lane}\n${turn.clusterId}\n${turn.userId}\n${key}`;
  const same = begun.get(ownKey);
  const { nowMs } = request;
  if (same && (isTimeless || Math.abs(nowMs - same.nowMs) <= SAME_MOMENT_MS)) return same.result;
  const own = { nowMs, result: compileNow(parts, request, turn, isTimeless ? key : null) };
  begun.set(ownKey, own);
  try {
    return await own.result;
  } finally {
    if (begun.get(ownKey) === own) begun.delete(ownKey);
  }
}

async function check(
  parts: KqlCompilerParts,
  wanted: SavedFunction,
  options: CompileOptions,
): Promise<FunctionCheck> {
  const answer = await ask(parts, { ...requestOf('', options), check: wanted }, options.turn ?? NOBODY);
  if ('check' in answer) return answer.check;
  throw unexpected(answer);
}

async function columnsOf(
  parts: KqlCompilerParts,
  question: PluginQuestion,
  rows: readonly ResultRow[],
  turn = NOBODY,
): Promise<SchemaFound> {
  const answer = await ask(parts, { ...requestOf('', NO_TEXT), answered: { question, rows } }, turn);
  if ('columns' in answer) return answer.columns;
  throw unexpected(answer);
}

/** Work of the platform itself. */
const NOBODY: CompileTurn = { lane: 'people', clusterId: '', userId: '' };
const NO_TEXT: CompileOptions = { schemaVersion: '', extFields: [], nowMs: 0 };

/** An answer to something else: that it took too long, in its words. */
const unexpected = (answer: Answered): Error =>
  'result' in answer
    ? compileRefusal(answer.result.diagnostics)
    : new Error('the KQL compiler answered another question');

function requestOf(text: string, options: CompileOptions): Omit<CompileRequest, 'id'> {
  const {
    schemaVersion,
    extFields,
    nowMs,
    unknownColumns = 'warn',
    pluginSchemas = [],
    several = false,
  } = options;
  const functions = options.functions ?? [];
  const { reach, catalog = NO_CATALOG } = options;
  const request = {
    text,
    schemaVersion,
    extFields,
    nowMs,
    unknownColumns,
    pluginSchemas,
    functions,
    catalog,
    several,
  };
  return reach ? { ...request, reach } : request;
}

const asksForNow = (text: string, functions: readonly SavedFunction[]): boolean =>
  comesTo(ASKS_FOR_NOW, text, functions);
const namesScope = (text: string, functions: readonly SavedFunction[]): boolean =>
  comesTo(NAMES_SCOPE, text, functions);

/** A text that names a function may by way of it come to any other. */
function comesTo(what: RegExp, text: string, functions: readonly SavedFunction[]): boolean {
  if (what.test(text)) return true;
  return (
    functions.some(({ name }) => text.includes(name)) &&
    functions.some(({ body, parameters }) => what.test(`${parameters} ${body}`))
  );
}

type Refusal = Saying & Pick<CompileResult['diagnostics'][number], 'code'>;

const TOO_LONG: Refusal = {
  code: 'TYR101',
  ...saying(say('tooLong', { limit: MAX_QUERY_LENGTH / 1024 }), say('splitLong')),
};

const TOO_SLOW = 'TYR104';

const tooSlow = (limitMs: number): Refusal => ({
  code: TOO_SLOW,
  ...saying(say('tooSlow', { seconds: limitMs / 1000 }), say('tryShorter')),
});

const refused = (text: string, refusal: Refusal): CompileResult => ({
  ok: false,
  diagnostics: [{ ...refusal, severity: 'error', span: { start: 0, end: text.length } }],
});
