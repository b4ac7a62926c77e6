import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { type ScratchEngines, startScratchEngines } from '../scratch-engines.ts';
import { pidIn } from '../testing/spawn-server.ts';

// What "acknowledged means durable" rests on: an insert that was answered survives a kill of the engine, and one
// that was not is sent again under its token without doubling anything.

const BATCHES = 120;
const ROWS_PER_BATCH = 500;

describe('inserts while the engine is killed', () => {
  let engines: ScratchEngines;
  beforeAll(async () => {
    engines = await startScratchEngines(readConfig({}), createLog('silent'));
  });
  afterAll(() => engines.stop());

  function batch(number: number): Buffer {
    const lines = Array.from({ length: ROWS_PER_BATCH }, (_one, index) =>
      JSON.stringify({
        // Two days, so that a batch is two parts.
        TimeGenerated: index % 2 === 0 ? '2026-01-02T03:04:05Z' : '2026-01-03T03:04:05Z',
        EventUid: randomUUID(),
        Scope: 's',
        Stream: 'Generic',
        Raw: `batch ${number} row ${index}`,
      }),
    );
    return Buffer.from(lines.join('\n'));
  }

  async function insertUntilStored(number: number): Promise<void> {
    const body = batch(number);
    for (;;) {
      try {
        return await engines.eventStore.insertRows('kill', body, { dedupToken: `batch-${number}` });
      } catch {
        await sleep(50);
      }
    }
  }

  it('loses and doubles nothing', async () => {
    await engines.eventStore.ensureTenant('kill');
    let next = 0;
    const sender = async () => {
      while (next < BATCHES) await insertUntilStored(next++);
    };
    const killer = async () => {
      for (let kill = 0; kill < 3; kill++) {
        await sleep(150);
        process.kill(pidIn(path.join(engines.dataFolder, 'clickhouse.pid')), 'SIGKILL');
        await expect
          .poll(() => engines.health()[1], { timeout: 60_000 })
          .toMatchObject({ state: 'up', restarts: kill + 1 });
      }
    };
    await Promise.all([sender(), sender(), sender(), killer()]);
    expect(engines.health()[1]?.restarts).toBe(3);
    const { rows } = await engines.eventStore.rows('kill', {
      sql: 'select count(), uniqExact(Raw) from events',
      scopes: 'all',
    });
    expect(rows[0]?.map(Number)).toEqual([BATCHES * ROWS_PER_BATCH, BATCHES * ROWS_PER_BATCH]);
  });

  it('stores a batch again that the engine had noted when it was killed, but not stored', async () => {
    const store = path.join(engines.dataFolder, 'clickhouse', 'store');
    const tablesBefore = new Set(tableFolders(store));
    await engines.eventStore.ensureTenant('noted');
    const body = batch(1);
    await engines.eventStore.insertRows('noted', body, { dedupToken: 'noted-1' });
    const pid = pidIn(path.join(engines.dataFolder, 'clickhouse.pid'));
    const restarts = engines.health()[1]?.restarts ?? 0;
    process.kill(pid, 'SIGSTOP');
    // As if the kill had come before the parts got their names: the log already has their records.
    const lost = tableFolders(store)
      .filter((table) => !tablesBefore.has(table))
      .flatMap((table) => readdirSync(table).map((name) => path.join(table, name)))
      .filter((folder) => /_\d+_\d+_\d+$/.test(folder));
    expect(lost.length).toBeGreaterThan(0);
    for (const folder of lost) rmSync(folder, { recursive: true });
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => engines.health()[1], { timeout: 60_000 })
      .toMatchObject({ state: 'up', restarts: restarts + 1 });
    const stored = async () => {
      const { rows } = await engines.eventStore.rows('noted', {
        sql: 'select count(), uniqExact(Raw) from events',
        scopes: 'all',
      });
      return rows[0]?.map(Number);
    };
    expect(await stored()).toEqual([0, 0]);
    for (const _again of [1, 2])
      await engines.eventStore.insertRows('noted', body, { dedupToken: 'noted-1' });
    expect(await stored()).toEqual([ROWS_PER_BATCH, ROWS_PER_BATCH]);
  });
});

/** Folders of the engine's tables. */
function tableFolders(store: string): readonly string[] {
  return readdirSync(store).flatMap((prefix) =>
    readdirSync(path.join(store, prefix)).map((table) => path.join(store, prefix, table)),
  );
}
