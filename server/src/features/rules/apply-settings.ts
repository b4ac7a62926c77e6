import type { RuleOverlay } from '@tyrian/contract';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { SampleGate } from '../samples/sample-gate.ts';
import type { ImportRow } from './import-store.ts';
import { bumpRevision, type JudgedRule, knownRules } from './pack-rule-store.ts';
import { scheduleIn } from './rule-content-reader.ts';
import { findOverlay, writeOverlay } from './scope-rule-store.ts';

// Settings of a scope that came with an archive, for rules that are there now.

export interface SettingsDeps {
  readonly rules: RuleControl;
  readonly gate: Pick<SampleGate, 'unproven'>;
}

interface Settled {
  readonly clusterId: string;
  readonly one: ImportRow;
  readonly rules: readonly JudgedRule[];
  readonly nowMs: number;
}

interface RuleSettings {
  readonly rule: JudgedRule;
  readonly overlay: RuleOverlay;
}

/** Writes them; a rule that must not run in PROD for want of passing samples keeps its stage. */
export async function applySettings(
  { rules: control, gate }: SettingsDeps,
  trx: TenantTransaction,
  { clusterId, one, rules, nowMs }: Settled,
): Promise<void> {
  const present = await knownRules(trx, clusterId, one.pack_id);
  const settings = settingsOf(one, rules).filter(({ rule }) => present.has(rule.ruleId));
  if (settings.length === 0) return;
  const { scope_id: scopeId, author } = one;
  const ids = settings.map(({ rule }) => rule.ruleId);
  const unproven = await gate.unproven(trx, clusterId, ids);
  const running = await control.inScope(trx, clusterId, scopeId, () => 'streamed', ids);
  for (const { rule, overlay } of settings) {
    const { ruleId, kind } = rule;
    const before = (await findOverlay(trx, clusterId, scopeId, ruleId, true)).overlay;
    const stage = overlay.stage === 'prod' && unproven.has(ruleId) ? before.stage : overlay.stage;
    // Correlations count by themselves.
    const threshold = kind === 'correlation' ? null : overlay.threshold;
    await writeOverlay(trx, { clusterId, scopeId, nowMs, author }, ruleId, { ...overlay, stage, threshold });
    const asked = { schedule: scheduleIn(overlay), isDetection: true };
    if (running.get(ruleId)?.enabled)
      await control.configure(trx, { clusterId, scopeId, workbookId: ruleId }, asked);
  }
  await bumpRevision(trx, clusterId);
}

/** By the Sigma id of the rule, else by its place in the pack. */
function settingsOf({ settings }: ImportRow, rules: readonly JudgedRule[]): readonly RuleSettings[] {
  const bySigmaId = new Map(rules.map((rule) => [rule.sigmaId ?? '', rule]));
  const byPlace = new Map(rules.map((rule) => [`${rule.path}\0${rule.position}`, rule]));
  return settings.flatMap(({ sigma_id, path, position, overlay }) => {
    const named = sigma_id === null ? undefined : bySigmaId.get(sigma_id);
    const rule = named ?? byPlace.get(`${path}\0${position}`);
    return rule ? [{ rule, overlay }] : [];
  });
}
