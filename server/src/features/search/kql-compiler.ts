import { Worker } from 'node:worker_threads';
import { MAX_QUERY_LENGTH } from '@tyrian/contract';
import type { compileKql, ExtField, FunctionCheck, PluginSchema, SavedFunction } from '@tyrian/kql';
import { AppError } from '../../platform/app-error.ts';

// KQL text to plan, in worker threads with a limit on text and time. A plan is kept by text and schema, unless the
// text asks for the present time: then the plan holds that moment and serves once.

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
  /** A function to check instead of a text to compile. */
  readonly check?: SavedFunction;
}

export type CompileAnswer =
  | { readonly id: number; readonly result: CompileResult }
  | { readonly id: number; readonly check: FunctionCheck }
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
}

export interface KqlCompiler {
  /** Mistakes of the text come back as diagnostics. Throws AppError `bad-input` past a limit. */
  compile(text: string, options: CompileOptions): Promise<CompileResult>;
  /** Whether a function can be saved beside those of the options. */
  check(wanted: SavedFunction, options: CompileOptions): Promise<FunctionCheck>;
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

const RESULTS_KEPT = 2000;
const ASKS_FOR_NOW = /\b(?:now|ago)\s*\(/;

/** `limitMs` is the longest that one text may take, starting up not counted. Workers start when they are needed. */
export function createKqlCompiler({ size = 2, limitMs = 5000 } = {}): KqlCompiler {
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

  const stopLong = (member: Member): void => {
    const { job } = member;
    members.splice(members.indexOf(member), 1);
    release(member);
    void member.worker.terminate();
    job?.reject(
      new AppError('bad-input', `the query takes more than ${limitMs / 1000} s to read; make it shorter`),
    );
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
      free.timer = setTimeout(() => stopLong(free), limitMs);
      free.worker.postMessage(job.request);
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
      if (text.length > MAX_QUERY_LENGTH) {
        throw new AppError('bad-input', `a query has at most ${MAX_QUERY_LENGTH / 1024} KB of text`);
      }
      const request = requestOf(text, options);
      const isTimeless = !asksForNow(text, request.functions);
      const found = request.pluginSchemas.length === 0 ? '' : JSON.stringify(request.pluginSchemas);
      const key = `${request.schemaVersion}\n${request.unknownColumns} ${request.several}\n${found}\n${text}`;
      const known = isTimeless ? kept.get(key) : undefined;
      if (known) return known;
      const answer = await ask(request);
      if (!('result' in answer)) throw new Error('the KQL compiler answered another question');
      if (isTimeless) keep(key, answer.result);
      return answer.result;
    },
    check: async (wanted, options) => {
      const answer = await ask({ ...requestOf('', options), check: wanted });
      if (!('check' in answer)) throw new Error('the KQL compiler answered another question');
      return answer.check;
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
  return { text, schemaVersion, extFields, nowMs, unknownColumns, pluginSchemas, functions, several };
}

/** A text that names a function may by way of it come to any other. */
function asksForNow(text: string, functions: readonly SavedFunction[]): boolean {
  if (ASKS_FOR_NOW.test(text)) return true;
  return (
    functions.some(({ name }) => text.includes(name)) &&
    functions.some(({ body, parameters }) => ASKS_FOR_NOW.test(`${parameters} ${body}`))
  );
}

/** Whoever waits for the compiler hears that it is gone; a stop must not wait for an answer that never comes. */
const closed = () => new AppError('unavailable', 'the server is stopping');
