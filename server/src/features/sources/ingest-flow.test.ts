import { expect, it } from 'vitest';
import { createIngestFlow } from './ingest-flow.ts';

it('[T-COMPONENTS] events a second are those since the last look, and what was lost counts as dropped', () => {
  let now = 0;
  const flow = createIngestFlow(() => now);
  flow.add({ received: 100, stored: 100, spooled: 40 });
  flow.add({ lost: 5, refused_busy: 1 });
  now = 10_000;
  expect(flow.rates()).toEqual({ eps_in: 10.5, eps_out: 6 });
  now = 20_000;
  expect(flow.rates()).toEqual({ eps_in: 0, eps_out: 0 });
  expect(flow.counters()).toEqual({ in: 105, out: 60, dropped: 5 });
});
