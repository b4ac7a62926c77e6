import * as contract from '@tyrian/contract';
import { expect } from 'vitest';
import type { Job } from '../../../platform/jobs/job.ts';
import type { DetectionApp } from '../../detections/testing/detection-app.ts';

// Previews as people start them and as a worker runs them.

interface Where {
  readonly clusterId?: string;
  readonly scopeId?: string;
}
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Asks for a preview; answers its id. */
export async function startPreview(
  app: DetectionApp,
  rule_ids: readonly string[],
  { from, to }: Range,
  where: Where = {},
): Promise<string> {
  const kind = rule_ids.length > 1 ? 'retro-hunt' : 'preview';
  const input = { rule_ids, kind, start: from, end: to };
  const answer = await app.call(contract.startRulePreview, input, 'engineer', where);
  expect(answer.http, answer.text).toBe(200);
  return answer.data.preview_id;
}

/** Runs the job of a preview, as a worker would. */
export function runPreviewJob(
  app: DetectionApp,
  previewId: string,
  signal: AbortSignal,
  where: Where = {},
): Promise<number> {
  const { clusterId = app.company.a.clusterId, scopeId = app.company.a.scope } = where;
  const job = app.test.composed.jobs.find(({ kind }) => kind === 'rule-preview');
  return (job as Job<{ scopeId: string; previewId: string }>).run(
    { scopeId, previewId },
    { clusterId, signal, progress: async () => undefined },
  );
}

export const readPreview = async (
  app: DetectionApp,
  preview_id: string,
  rule_id?: string,
): Promise<contract.RulePreview> =>
  (await app.call(contract.readRulePreview, { preview_id, ...(rule_id ? { rule_id } : {}) }, 'analyst')).data;

/** Runs a preview to its end, without waiting for what it cost. */
export async function finishPreview(app: DetectionApp, previewId: string): Promise<contract.RulePreview> {
  const stop = new AbortController();
  // Where somebody else ended the preview, this job may still be at work when it is stopped.
  const ended = runPreviewJob(app, previewId, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const state = async () => (await readPreview(app, previewId)).state;
  try {
    await expect.poll(state, { timeout: 120_000, interval: 50 }).not.toMatch(/waiting|running/);
  } finally {
    stop.abort('stopping');
    await ended;
  }
  return readPreview(app, previewId);
}
