import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basicAuthorization, type ClickhouseAccount } from '../../platform/clickhouse/event-store-options.ts';
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

/** How far below the ordinary one the priority of the thread is that works for a query with a text. */
async function priorityOf(
  scratch: ScratchClickhouse,
  account: ClickhouseAccount,
  mark: string,
): Promise<number> {
  const engine = engineOf(process.pid);
  const running = fetch(`${scratch.access.url}/?max_threads=1&max_block_size=1`, {
    method: 'POST',
    body: `SELECT sum(sleepEachRow(0.1)) FROM numbers(30) -- ${mark}`,
    headers: { authorization: basicAuthorization(account), connection: 'close' },
  });
  let tasks: readonly (number | string)[] = [];
  await expect
    .poll(
      async () => {
        const [row] = await scratch.events.systemRows<{ tasks: (number | string)[] }>(
          'SELECT thread_ids AS tasks FROM system.processes WHERE query LIKE {like:String} AND user = {user:String}',
          { like: `SELECT sum(sleep%${mark}`, user: account.user },
        );
        tasks = row?.tasks ?? [];
        return tasks.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  const [nice] = tasks.map((task) => Number(statOf(`${engine}/task/${task}`)[16])).sort((a, b) => b - a);
  expect((await running).status).toBe(200);
  return (nice ?? 0) - Number(statOf('self')[16]);
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

  it('[S08] stays in our session, where priorities of both are weighed, and out of reach of Ctrl-C', () => {
    const [state, parent, group, session] = statOf(String(engineOf(process.pid)));
    expect(state).toBeDefined();
    expect(Number(parent)).toBe(process.pid);
    expect(group).toBe(engineOf(process.pid));
    expect(session).toBe(statOf('self')[3]);
  });

  it('[S08] works for a query that gives way with a low priority, and for the next with its ordinary one', async () => {
    const { query, patient } = scratch.access;
    if (!patient) throw new Error('nobody gives way');
    for (const round of ['one', 'two', 'three']) {
      expect(await priorityOf(scratch, patient, `patient ${round}`)).toBe(15);
      expect(await priorityOf(scratch, query, `query ${round}`)).toBe(1);
    }
  });
});
