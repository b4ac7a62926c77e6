import { describe, expect, it } from 'vitest';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import type { Detection } from './rule-definition.ts';
import { createRuleReader, type ReadRule } from './rule-reader.ts';

// One evaluation of a rule, and how long it may take where others wait for it.

const window = { from: 0, to: 60_000, rerun: false };
const read = {
  rule: { name: 'slow', detections: [{} as Detection] },
  streams: ['Dns'],
  needsEvents: true,
} as unknown as ReadRule;

/** Ends only when it is told to. */
const waiting: DetectionEvaluator['evaluate'] = (_rule, _detection, _window, terms) =>
  new Promise((_, reject) => terms?.signal?.addEventListener('abort', () => reject(new Error('stopped'))));
const readerOver = (evaluate: DetectionEvaluator['evaluate']) =>
  createRuleReader({
    definitions: { definitionsOf: async () => new Map() },
    evaluator: { evaluate } as DetectionEvaluator,
  });

describe('an evaluation of a rule', () => {
  it('[R-E2] that takes longer than the others wait for it fails with a reason', async () => {
    const outcome = await readerOver(waiting).evaluate(read, window, 1, { withinMs: 20 });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'search.tooSlow', values: { seconds: 0.02 } },
    });
  });

  it('that is stopped from outside is no failure of the rule', async () => {
    const stop = new AbortController();
    const outcome = readerOver(waiting).evaluate(read, window, 1, { signal: stop.signal, withinMs: 60_000 });
    stop.abort();
    await expect(outcome).rejects.toThrow('stopped');
  });

  it('that fails by itself tells of that', async () => {
    const failing = readerOver(() => Promise.reject(new Error('no such table')));
    const outcome = await failing.evaluate(read, window, 1, { withinMs: 60_000 });
    expect(JSON.stringify(outcome)).toContain('no such table');
  });
});
