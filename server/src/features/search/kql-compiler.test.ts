import { MAX_QUERY_LENGTH } from '@tyrian/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';

const asked = { schemaVersion: 'v', extFields: [], nowMs: 0 };

/** Within the limit on text, and many seconds of work: nested calls cost the parser more than their number. */
const ENDLESS = `print ${'strcat("a",'.repeat(5000)}"b"${')'.repeat(5000)}`;

let compiler: KqlCompiler;
afterEach(() => compiler.close());

describe('the pool of compilers', () => {
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
          message: 'The query takes more than 1 s to compile',
        },
      ],
    });
    expect(next).toMatchObject({ ok: true });
  });

  it('settles the columns of a plug-in from what the data answered', async () => {
    compiler = createKqlCompiler({ size: 1 });
    const text = 'print d = dynamic({"a": 1}) | evaluate bag_unpack(d)';
    const first = await compiler.compile(text, asked);
    if (!first.ok || !first.questions[0]) throw new Error('no question to the data');
    const settled = await compiler.columnsOf(first.questions[0], [['a', 'long']]);
    if (!settled.ok) throw new Error(settled.refusal.message);
    const second = await compiler.compile(text, { ...asked, pluginSchemas: [settled.schema] });
    expect(second).toMatchObject({ ok: true, columns: [{ name: 'a', type: 'long' }], questions: [] });
  });

  it('refuses more than 64 KB of text without reading it', async () => {
    compiler = createKqlCompiler();
    const result = await compiler.compile(`print "${'x'.repeat(MAX_QUERY_LENGTH)}"`, asked);
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'TYR101', severity: 'error' }] });
  });
});
