import { defineConfig } from 'vitest/config';
import LongTestFilesFirst from './tools/long-test-files-first.ts';

// Tests stand beside the code. `unit` and `console` need nothing; `engines` shares one PostgreSQL and one ClickHouse,
// started once for the run; `journeys` drives a browser against a whole server. Files share the modules that they load:
// what most of their time would go to. Of `console` they share those of others alone (start-of-file.ts).
export default defineConfig({
  test: {
    teardownTimeout: 40_000,
    maxWorkers: 2,
    sequence: { sequencer: LongTestFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
          sequence: { groupOrder: 0 },
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'console',
          include: ['console/**/*.test.{ts,tsx}'],
          sequence: { groupOrder: 0 },
          setupFiles: ['console/src/testing/start-of-file.ts'],
          environment: 'jsdom',
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['server/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          // Each waits for an engine half of its time: one more than there are processors.
          maxWorkers: 3,
          globalSetup: ['server/src/engines/testing/start-test-engines.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          isolate: false,
        },
      },
      // What concerns search, ingest, detections and isolation once more, with the events on two shards.
      {
        test: {
          name: 'shards',
          include: [
            'server/src/features/search/{event-canary,kql-golden,kql-properties,search-routes}.test.ts',
            'server/src/features/ingest/{native-rows,poison-records}.test.ts',
            'server/src/features/detections/detection-runner.test.ts',
            'server/src/features/identity/tenants/{retention-service,tenant-access}.test.ts',
          ],
          sequence: { groupOrder: 0 },
          globalSetup: ['server/src/engines/testing/start-test-shards.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/**/*.e2e.ts'],
          sequence: { groupOrder: 2 },
          globalSetup: ['e2e/start-journey-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // One browser for all files of a worker: its visitors stay signed in.
          isolate: false,
          // A browser on a busy machine: a second try is shown as such in the report.
          retry: 1,
        },
      },
    ],
  },
});
