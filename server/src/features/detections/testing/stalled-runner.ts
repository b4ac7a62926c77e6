import { createEventStore } from '../../../platform/clickhouse/clickhouse-event-store.ts';
import type { EventStoreOptions } from '../../../platform/clickhouse/event-store-options.ts';
import { settableClock } from '../../../platform/clock.ts';
import { createLog } from '../../../platform/log.ts';
import { createPostgres } from '../../../platform/postgres/postgres.ts';
import { createWorkbookReader } from '../../workbooks/workbook-reader.ts';
import { createDetectionRunner } from '../detection-runner.ts';

// A worker that takes what is due and never comes to the end of its first evaluation, for a test that kills it.

process.once('message', (message: unknown) => {
  const { postgresUrl, clickhouse, clockMs } = message as {
    postgresUrl: string;
    clickhouse: Omit<EventStoreOptions, 'log'>;
    clockMs: number;
  };
  const log = createLog('error');
  const postgres = createPostgres({ url: postgresUrl, log });
  const runner = createDetectionRunner({
    postgres,
    events: createEventStore({ ...clickhouse, log }),
    definitions: createWorkbookReader(postgres),
    clock: settableClock(clockMs),
    log,
    owner: 'stalled',
    evaluator: {
      traitsOf: async () => ({
        streams: ['ProcessEvent'],
        rowByRow: true,
        rowsAreEvents: true,
        needsEvents: true,
      }),
      evaluate: () =>
        new Promise(() => {
          process.send?.({ evaluating: true });
        }),
    },
  });
  void runner.runDue();
});
