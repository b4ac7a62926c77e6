import type { TestProject } from 'vitest/node';
import { startShards } from './start-shards.ts';
import { startTestEnginesWith } from './start-test-engines.ts';

// Set-up of a test run whose events lie on two shards; everything else is as in start-test-engines.ts.

export default async function startTestShards(project: TestProject): Promise<() => Promise<void>> {
  const shards = await startShards();
  const stop = await startTestEnginesWith(project, shards.env, shards.access);
  return async () => {
    await stop();
    await shards.close();
  };
}
