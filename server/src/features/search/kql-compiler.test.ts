import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MAX_QUERY_LENGTH } from '@tyrian/contract';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { COMPILE_TURN_LIMITS } from './compile-turns.ts';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';
import { endlessText } from './testing/endless-text.ts';

const asked = { schemaVersion: 'v', extFields: [], nowMs: 0 };

const ENDLESS = endlessText('x');

const listOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"${index.toString(36)}"`).join(',');

describe('the pool of compilers', () => {
  let compiler: KqlCompiler;
  afterEach(() => compiler.close());

  it('tells whoever still waits when it closes, so that a stop never hangs', async () => {
    compiler = createKqlCompiler({ size: 1 });
    const waiting = Promise.allSettled(
      ['print a = 1', 'print a = 2', 'print a = 3'].map((text) => compiler.compile(text, asked)),
    );
    await compiler.close();
    expect((await waiting).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(compiler.compile('print a = 4', asked)).rejects.toThrow('stopping');
  });

  it('refuses a text that takes more than a second, ends its worker, and goes on with another', async () => {
    compiler = createKqlCompiler({ size: 1 });
    expect(ENDLESS.length).toBeLessThan(MAX_QUERY_LENGTH);
    expect(await compiler.compile('print a = 1', asked)).toMatchObject({ ok: true });
    const [endless, next] = await Promise.all([
      compiler.compile(ENDLESS, asked),
      compiler.compile('print a = 2', asked),
    ]);
    expect(endless).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'TYR104',
          severity: 'error',
          span: { start: 0, end: ENDLESS.length },
          message: 'The query could not be compiled within 1 s',
          text: { key: 'tooSlow', values: { seconds: 1 } },
        },
      ],
    });
    expect(next).toMatchObject({ ok: true });
  });

  it('[S07] compiles a text once for all that one run asks at once, and again for another user or moment', async () => {
    compiler = createKqlCompiler({ size: 1 });
    const recent = 'Events | where TimeGenerated > ago(1h) | count';
    const ask = (text: string, userId: string, nowMs: number) =>
      compiler.compile(text, { ...asked, nowMs, turn: { lane: 'people', clusterId: 'a', userId } });
    const run = [1000, 1400, 2000].map((nowMs) => ask(recent, 'ana', nowMs));
    expect(compiler.work().waiting).toBe(1);
    const others = [ask(recent, 'ben', 1000), ask(recent, 'ana', 2001)];
    expect(compiler.work().waiting).toBe(3);
    const timeless = [1000, 9000].map((nowMs) => ask('Events | count', 'ana', nowMs));
    expect(compiler.work().waiting).toBe(4);
    const [first, ...rest] = await Promise.all(run);
    expect(first).toMatchObject({ ok: true });
    for (const one of rest) expect(one).toBe(first);
    expect(new Set([first, ...(await Promise.all(others))]).size).toBe(3);
    expect(new Set(await Promise.all(timeless)).size).toBe(1);
    // Once it is over the present has gone on.
    expect(await ask(recent, 'ana', 1000)).not.toBe(first);
  });

  it('[S07] serves another tenant after at most one hostile text, and refuses the flood', async () => {
    compiler = createKqlCompiler({
      size: 1,
      limitMs: 300,
      turnLimits: { ...COMPILE_TURN_LIMITS, waitsMs: [60_000] },
    });
    const turnOf = (clusterId: string) => ({ lane: 'people', clusterId, userId: 'analyst' }) as const;
    await compiler.compile('print warm = 1', asked);
    const ends: string[] = [];
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const hostile = compiler.compile(endlessText(`x${index}`), { ...asked, turn: turnOf('a') });
      ends.push(
        await hostile.then(
          ({ diagnostics }) => `${diagnostics[0]?.code}`,
          (error: unknown) => (error instanceof AppError ? error.kind : 'fault'),
        ),
      );
    });
    const victim = await compiler.compile('print victim = 1', { ...asked, turn: turnOf('b') });
    expect(victim).toMatchObject({ ok: true });
    expect(ends.filter((end) => end === 'TYR104').length).toBeLessThanOrEqual(1);
    await Promise.all(flood);
    expect(ends.filter((end) => end === 'TYR104')).toHaveLength(1);
    expect(ends.filter((end) => end === 'too-many')).toHaveLength(59);
    expect(compiler.work()).toMatchObject({ ended: 1, waiting: 0 });
    const again = compiler.compile('print other = 1', { ...asked, turn: turnOf('a') });
    await expect(again).rejects.toThrow('One of your queries took too long to compile');
    expect(await compiler.compile('print victim = 2', { ...asked, turn: turnOf('b') })).toMatchObject({
      ok: true,
    });
  });
});

describe('long texts', () => {
  // A limit of processor time tells machines apart: what a text takes is compared with another one instead.
  const patient = createKqlCompiler({ size: 1, limitMs: 5_000 });
  afterAll(() => patient.close());
  const workOf = async (text: string): Promise<number> => {
    const before = process.cpuUsage();
    expect(await patient.compile(text, asked)).toMatchObject({ ok: true, diagnostics: [] });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };

  it.each([
    (list: string) => `Events | where DvcHostname in (${list})`,
    (list: string) => `let known = dynamic([${list}]); Events | where DvcHostname in (known)`,
  ])(
    '[S07] compiles a list of 8,000 values in work that grows with the list, and not with its square',
    async (of) => {
      await workOf(of(listOf(2000)));
      const short = await workOf(of(listOf(2001)));
      expect(await workOf(of(listOf(8000)))).toBeLessThan(10 * short);
      expect(patient.work().ended).toBe(0);
    },
  );
});

describe('one compiler', () => {
  const shared = createKqlCompiler({ size: 1 });
  afterAll(() => shared.close());
  it('[S07] refuses commands, deep brackets and lets without number with no worker lost', async () => {
    const codeOf = async (text: string) => (await shared.compile(text, asked)).diagnostics[0]?.code;
    const flood = await Promise.all(
      Array.from({ length: 30 }, (_, index) => codeOf(`.show tables ${index}`)),
    );
    expect(new Set(flood)).toEqual(new Set(['TYR114']));
    expect(await codeOf(`print ${'('.repeat(1000)}1${')'.repeat(1000)}`)).toBe('TYR102');
    const lets = Array.from({ length: 2000 }, (_, index) => `let a${index} = 1;`).join('');
    expect(await codeOf(`${lets} print a0`)).toBe('TYR105');
    expect(shared.work()).toEqual({ started: 1, ended: 0, waiting: 0 });
  });

  it('[S07] counts the work of the text alone, not what the rest of the process does', async () => {
    // Other threads of this process work for seconds, while the text waits for its turn on a processor.
    const spin = `const until = process.hrtime.bigint() + 3000000000n; while (process.hrtime.bigint() < until);`;
    const busy = Array.from({ length: 6 }, () => once(new Worker(spin, { eval: true }), 'exit'));
    const result = await shared.compile(`Events | where DvcHostname in (${listOf(3000)})`, asked);
    expect(result).toMatchObject({ ok: true });
    await Promise.all(busy);
    expect(shared.work().ended).toBe(0);
  });

  it('settles the columns of a plug-in from what the data answered', async () => {
    const text = 'print d = dynamic({"a": 1}) | evaluate bag_unpack(d)';
    const first = await shared.compile(text, asked);
    if (!first.ok || !first.questions[0]) throw new Error('no question to the data');
    const settled = await shared.columnsOf(first.questions[0], [['a', 'long']]);
    if (!settled.ok) throw new Error(settled.refusal.message);
    const second = await shared.compile(text, { ...asked, pluginSchemas: [settled.schema] });
    expect(second).toMatchObject({ ok: true, columns: [{ name: 'a', type: 'long' }], questions: [] });
  });

  it('refuses more than 64 KB of text without reading it', async () => {
    const result = await shared.compile(`print "${'x'.repeat(MAX_QUERY_LENGTH)}"`, asked);
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'TYR101', severity: 'error' }] });
  });
});
