import { randomUUID } from 'node:crypto';
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
});
