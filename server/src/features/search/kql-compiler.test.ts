import { describe, expect, it } from 'vitest';
import { createKqlCompiler } from './kql-compiler.ts';

describe('the pool of compilers', () => {
  it('tells whoever still waits when it closes, so that a stop never hangs', async () => {
    const compiler = createKqlCompiler({ size: 1 });
    const asked = { schemaVersion: 'v', extFields: [], nowMs: Date.now() };
    const waiting = Promise.allSettled(
      ['print a = 1', 'print a = 2', 'print a = 3'].map((text) => compiler.compile(text, asked)),
    );
    await compiler.close();
    expect((await waiting).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(compiler.compile('print a = 4', asked)).rejects.toThrow('stopping');
  });
});
