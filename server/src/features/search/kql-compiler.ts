import { Worker } from 'node:worker_threads';
import { MAX_QUERY_LENGTH } from '@tyrian/contract';
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
import { AppError } from '../../platform/app-error.ts';
import { compileRefusal } from './compile-refusal.ts';
import type { ResultRow } from './run-pieces.ts';

// KQL text to plan, in worker threads with a limit on text and time; they alone load the language service, which is
// large. A plan is kept by text and schema, unless the text asks for the present time: then the plan holds that moment
// and serves once. The limit on time counts what the processor worked, so that a busy machine refuses no good query;
// only far beyond it does the clock on the wall count.

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
  /** Names fields and functions; equal versions mean equal ones. */
  readonly schemaVersion: string;
  readonly extFields: readonly ExtField[];
  /** Functions that a text may name without declaring them. */
  readonly functions?: readonly SavedFunction[];
  readonly nowMs: number;
  readonly unknownColumns?: 'warn' | 'error';
  /** Columns of plug-ins that were found in the data. */
  readonly pluginSchemas?: readonly PluginSchema[];
  /** The caller can hold several tables. */
  readonly several?: boolean;
  /** The places that the text may name. */
  readonly reach?: QueryReach;
}

export interface KqlCompiler {
  /** Mistakes of the text and limits that it passes come back as diagnostics. */
  compile(text: string, options: CompileOptions): Promise<CompileResult>;
  /** Whether a function can be saved beside those of the options. */
  check(wanted: SavedFunction, options: CompileOptions): Promise<FunctionCheck>;
  /** The columns of a plug-in from what the data answered to its question: `schemaFound`. */
  columnsOf(question: PluginQuestion, rows: readonly ResultRow[]): Promise<SchemaFound>;
  close(): Promise<void>;
}

type Answered = Exclude<CompileAnswer, { readonly fault: string }>;

interface Job {
  readonly request: CompileRequest;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: unknown) => void;
}

interface Member {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

interface Work {
  /** Milliseconds on the wall. */
  readonly began: number;
  readonly processor: NodeJS.CpuUsage;
}

const RESULTS_KEPT = 2000;
/** So many times the limit a text may take on the wall. */
const MOST_STRETCHED = 10;
const NAMES_PLACE = /\b(?:workspace|app|cluster|database)\s*\(/;
const ASKS_FOR_NOW = /\b(?:now|ago)\s*\(/;

/**
 * `limitMs` is the longest that one text may take, starting up not counted. Workers start when they are needed; one
 * that passes the limit is ended and another started in its place.
 */
export function createKqlCompiler({ size = 2, limitMs = 1000 } = {}): KqlCompiler {
  const members: Member[] = [];
  const waiting: Job[] = [];
  const kept = new Map<string, CompileResult>();
  let nextId = 1;
  let isClosed = false;

  const start = (): Member => {
    const worker = new Worker(new URL('./start-compile-worker.mjs', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const member: Member = { worker, isReady: false, job: null, timer: null };
    worker.unref();
    worker.on('message', (message: 'ready' | CompileAnswer) => {
      if (message === 'ready') member.isReady = true;
      else finish(member, message);
      serve();
    });
    worker.on('error', (error) => lose(member, error));
    worker.on('exit', () => lose(member, new Error('the compiler ended')));
    members.push(member);
    return member;
  };

  const finish = (member: Member, answer: CompileAnswer): void => {
    const { job } = member;
    if (!job || job.request.id !== answer.id) return;
    release(member);
    if ('fault' in answer) job.reject(new Error(`the KQL compiler failed: ${answer.fault}`));
    else job.resolve(answer);
  };

  const release = (member: Member): void => {
    if (member.timer) clearTimeout(member.timer);
    member.timer = null;
    member.job = null;
    member.worker.unref();
  };

  const lose = (member: Member, error: unknown): void => {
    const index = members.indexOf(member);
    if (index < 0) return;
    members.splice(index, 1);
    const { job } = member;
    release(member);
    job?.reject(error);
    // A worker that ends before it was ready would end again: whoever waits hears why.
    if (!member.isReady && members.length === 0) for (const other of waiting.splice(0)) other.reject(error);
    else serve();
  };

  const watch = (member: Member, work: Work): void => {
    const { user, system } = process.cpuUsage(work.processor);
    const spent = Math.min((user + system) / 1000, performance.now() - work.began);
    if (spent >= limitMs || performance.now() - work.began >= limitMs * MOST_STRETCHED) stopLong(member);
    else member.timer = setTimeout(() => watch(member, work), Math.max(10, limitMs - spent));
  };

  const stopLong = (member: Member): void => {
    const { job } = member;
    members.splice(members.indexOf(member), 1);
    release(member);
    void member.worker.terminate();
    const { id, text } = job?.request ?? { id: 0, text: '' };
    job?.resolve({ id, result: refused(text, tooSlow(limitMs)) });
    start();
    serve();
  };

  const serve = (): void => {
    while (waiting.length > 0) {
      const free = members.find((member) => member.isReady && member.job === null);
      if (!free) {
        const starting = members.filter((member) => !member.isReady).length;
        if (starting === 0 && members.length < size && !isClosed) start().worker.ref();
        return;
      }
      const job = waiting.shift();
      if (!job) return;
      free.job = job;
      free.worker.ref();
      free.worker.postMessage(job.request);
      watch(free, { began: performance.now(), processor: process.cpuUsage() });
    }
  };

  const keep = (key: string, result: CompileResult): void => {
    kept.set(key, result);
    const oldest = kept.keys().next();
    if (kept.size > RESULTS_KEPT && !oldest.done) kept.delete(oldest.value);
  };

  const ask = (request: Omit<CompileRequest, 'id'>): Promise<Answered> => {
    if (isClosed) throw closed();
    return new Promise((resolve, reject) => {
      waiting.push({ request: { ...request, id: nextId++ }, resolve, reject });
      serve();
    });
  };

  return {
    compile: async (text, options) => {
      if (text.length > MAX_QUERY_LENGTH) return refused(text, TOO_LONG);
      const request = requestOf(text, options);
      const isTimeless = !asksForNow(text, request.functions);
      const found = request.pluginSchemas.length === 0 ? '' : JSON.stringify(request.pluginSchemas);
      const reach = namesPlace(text, request.functions) ? JSON.stringify(request.reach ?? null) : '';
      const kind = `${request.unknownColumns} ${request.several}`;
      const key = [request.schemaVersion, kind, found, reach, text].join('\n');
      const known = isTimeless ? kept.get(key) : undefined;
      if (known) return known;
      const answer = await ask(request);
      if (!('result' in answer)) throw unexpected(answer);
      if (isTimeless && answer.result.diagnostics[0]?.code !== TOO_SLOW) keep(key, answer.result);
      return answer.result;
    },
    check: async (wanted, options) => {
      const answer = await ask({ ...requestOf('', options), check: wanted });
      if ('check' in answer) return answer.check;
      throw unexpected(answer);
    },
    columnsOf: async (question, rows) => {
      const answer = await ask({ ...requestOf('', NO_TEXT), answered: { question, rows } });
      if ('columns' in answer) return answer.columns;
      throw unexpected(answer);
    },
    close: async () => {
      isClosed = true;
      const all = members.splice(0);
      const left = [...all.flatMap((member) => member.job ?? []), ...waiting.splice(0)];
      for (const member of all) release(member);
      for (const job of left) job.reject(closed());
      await Promise.all(all.map((member) => member.worker.terminate()));
    },
  };
}

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
  const { reach } = options;
  const request = {
    text,
    schemaVersion,
    extFields,
    nowMs,
    unknownColumns,
    pluginSchemas,
    functions,
    several,
  };
  return reach ? { ...request, reach } : request;
}

const asksForNow = (text: string, functions: readonly SavedFunction[]): boolean =>
  comesTo(ASKS_FOR_NOW, text, functions);
const namesPlace = (text: string, functions: readonly SavedFunction[]): boolean =>
  comesTo(NAMES_PLACE, text, functions);

/** A text that names a function may by way of it come to any other. */
function comesTo(what: RegExp, text: string, functions: readonly SavedFunction[]): boolean {
  if (what.test(text)) return true;
  return (
    functions.some(({ name }) => text.includes(name)) &&
    functions.some(({ body, parameters }) => what.test(`${parameters} ${body}`))
  );
}

type Refusal = Pick<CompileResult['diagnostics'][number], 'code' | 'message' | 'hint'>;

const TOO_LONG: Refusal = {
  code: 'TYR101',
  message: `The query is longer than ${MAX_QUERY_LENGTH / 1024} KB`,
  hint: 'Split it, or keep long lists elsewhere',
};

const TOO_SLOW = 'TYR104';

const tooSlow = (limitMs: number): Refusal => ({
  code: TOO_SLOW,
  message: `The query takes more than ${limitMs / 1000} s to compile`,
  hint: 'Make it shorter, or split it into several queries',
});

const refused = (text: string, refusal: Refusal): CompileResult => ({
  ok: false,
  diagnostics: [{ ...refusal, severity: 'error', span: { start: 0, end: text.length } }],
});

/** Whoever waits for the compiler hears that it is gone; a stop must not wait for an answer that never comes. */
const closed = () => new AppError('unavailable', 'the server is stopping');
