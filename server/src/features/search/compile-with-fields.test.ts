import type { compileKql } from '@tyrian/kql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { compileWithFields } from './compile-with-fields.ts';
import type { KqlCompiler } from './kql-compiler.ts';
import type { SeenField } from './seen-field-store.ts';
import { createSeenFields } from './seen-fields.ts';

const FIELD: SeenField = {
  scopeId: 's1',
  stream: 'Dns',
  path: 'colour',
  type: 'String',
  example: 'red',
  lastSeenMs: 1,
};

/** A tenant whose sample ends when `release` is called, and a compiler that remarks on fields that it is not told. */
function stand(stored: SeenField[]) {
  let release = () => {};
  const sample = new Promise<void>((resolve) => {
    release = resolve;
  });
  const events = {
    rows: async () => {
      await sample;
      return { columns: [], rows: [] };
    },
  } as unknown as EventStore;
  const store = {
    list: () => Promise.resolve(stored),
    put: () => {
      stored.push(FIELD);
      return Promise.resolve();
    },
  };
  const compiler = {
    compile: (text: string, { extFields }: Parameters<KqlCompiler['compile']>[1]) => {
      const isKnown = !text.includes('colour') || extFields.some(({ path }) => path === 'colour');
      const diagnostics = isKnown ? [] : [{ code: 'TK0', message: 'unknown' }];
      return Promise.resolve({ ok: true, diagnostics } as unknown as ReturnType<typeof compileKql>);
    },
    close: () => Promise.resolve(),
  };
  const clock = { now: () => 1000 };
  const seenFields = createSeenFields({ events, store, clock, log: pino({ level: 'silent' }) });
  return { compile: compileWithFields({ compiler, seenFields, clock }), release };
}

const asked = (kql: string) => ({ clusterId: 'c1', scopes: ['s1'], kql });

describe('compiling before the fields of a tenant are known', () => {
  it('does not wait for the sample', async () => {
    const { compile } = stand([]);
    expect((await compile(asked('Dns | take 5'), [])).diagnostics).toEqual([]);
  });

  it('waits for it when the text names something that is not known', async () => {
    const { compile, release } = stand([]);
    const waiting = compile(asked('Dns | where colour == "red"'), []);
    release();
    expect((await waiting).diagnostics).toEqual([]);
  });

  it('knows at once what an earlier sample found', async () => {
    const { compile } = stand([FIELD]);
    expect((await compile(asked('Dns | where colour == "red"'), [])).diagnostics).toEqual([]);
  });
});
