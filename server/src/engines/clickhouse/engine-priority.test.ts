import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../platform/clickhouse/clickhouse-event-store.ts';
import { openScratchClickhouse, type ScratchClickhouse } from '../scratch-clickhouse.ts';

// A query of a tenant that has used much lately gives way to those of others, by the scheduler of Linux.

const SYS_NICE = 1n << 23n;

/** The rights of a process. */
const rightsOf = (task: string, kind: 'CapEff' | 'CapPrm'): bigint =>
  BigInt(
    `0x${new RegExp(`^${kind}:\\s*([0-9a-f]+)$`, 'm').exec(readFileSync(`/proc/${task}/status`, 'utf8'))?.[1]}`,
  );

/** Whether engines get a user of their own here, and priorities may be raised again. */
const mayKeep =
  existsSync('/proc/self/status') &&
  process.getuid?.() === 0 &&
  (rightsOf('self', 'CapPrm') & SYS_NICE) !== 0n &&
  ['x64', 'arm64'].includes(process.arch);

const statOf = (task: string): string[] => {
  const stat = readFileSync(`/proc/${task}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

function engineOf(parent: number): string {
  const found = readdirSync('/proc').find((id) => {
    try {
      return (
        /^\d+$/.test(id) &&
        Number(statOf(id)[1]) === parent &&
        readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('clickhouse-child')
      );
    } catch {
      return false; // It has ended meanwhile.
    }
  });
  if (!found) throw new Error('there is no engine below this process');
  return found;
}

/** The nice values of the engine's threads, without those of ordinary priority. */
function lowered(engine: string): number[] {
  return readdirSync(`/proc/${engine}/task`).flatMap((task) => {
    try {
      const nice = Number(statOf(`${engine}/task/${task}`)[16]);
      return nice > Number(statOf('self')[16]) ? [nice] : [];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

describe.runIf(mayKeep)('the engine', () => {
  let scratch: ScratchClickhouse;
  beforeAll(async () => {
    scratch = await openScratchClickhouse('tyrian-priority-');
  });
  afterAll(() => scratch?.close());

  it('[S08] keeps no right of root but to set the priority of its threads', () => {
    const engine = engineOf(process.pid);
    expect(rightsOf(engine, 'CapEff')).toBe(SYS_NICE);
    for (const task of readdirSync(`/proc/${engine}/task`)) {
      expect(rightsOf(`${engine}/task/${task}`, 'CapPrm') & ~SYS_NICE).toBe(0n);
    }
  });

  it('[S08] works for a query that gives way with a low priority, and ends with the ordinary one', async () => {
    const { url, query } = scratch.access;
    const engine = engineOf(process.pid);
    const before = lowered(engine);
    const running = fetch(`${url}/?os_thread_priority=10&max_threads=1&max_block_size=1`, {
      method: 'POST',
      body: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(30)',
      headers: { authorization: basicAuthorization(query), connection: 'close' },
    });
    await expect.poll(() => lowered(engine), { timeout: 20_000 }).toContain(10);
    expect((await running).status).toBe(200);
    await expect.poll(() => lowered(engine), { timeout: 20_000 }).toEqual(before);
  });
});
