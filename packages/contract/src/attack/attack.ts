import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { STAGES } from '../workbooks/workbook.ts';

// What a scope sees of the techniques of ATT&CK. A technique is as well off as the best of its rules: those of itself and
// of its sub-techniques.

/**
 * From worst to best. `none`: no rule names it; `off`: a rule does, but is off; `blind`: a rule is on, but what it reads does
 * not arrive; `on`: a rule is on and its events arrive; `proven`: besides, the rule has found what it is there for.
 */
export const ATTACK_STATES = ['none', 'off', 'blind', 'on', 'proven'] as const;
export type AttackState = (typeof ATTACK_STATES)[number];

/** The better of two states. */
export const betterState = (a: AttackState, b: AttackState): AttackState =>
  ATTACK_STATES.indexOf(a) >= ATTACK_STATES.indexOf(b) ? a : b;

/** Whether attacks of a technique in this state would be seen. */
export const isWatched = (state: AttackState): boolean => state === 'on' || state === 'proven';

export const techniqueIdSchema = z
  .string()
  .max(9)
  .regex(/^T\d{4}(?:\.\d{3})?$/);
/** A group (`G0016`) or a campaign (`C0024`). */
export const actorIdSchema = z
  .string()
  .max(5)
  .regex(/^[GC]\d{4}$/);

/** The page of a technique, group, campaign or software at MITRE. */
export function attackAddress(id: string): string {
  const kind = { T: 'techniques', G: 'groups', C: 'campaigns', S: 'software' }[id.charAt(0)] ?? 'techniques';
  return `https://attack.mitre.org/${kind}/${id.replace('.', '/')}`;
}

const count = z.number().int();

export const attackCellSchema = z.object({
  id: techniqueIdSchema,
  name: z.string(),
  state: z.enum(ATTACK_STATES),
  /** Rules that are on and see their events. */
  active: count,
  /** Rules that are on, but blind. */
  blind: count,
  total: count,
  signal_count: count,
});
export type AttackCell = z.output<typeof attackCellSchema>;

export const attackTechniqueSchema = attackCellSchema.extend({
  platforms: z.array(z.string()),
  sub: z.array(attackCellSchema),
});
export type AttackTechnique = z.output<typeof attackTechniqueSchema>;

export const attackMatrixSchema = z.object({
  /** Of ATT&CK. */
  version: z.string(),
  tactics: z.array(
    z.object({ id: z.string(), name: z.string(), techniques: z.array(attackTechniqueSchema) }),
  ),
  /** Techniques without sub-techniques, each once. `covered`: with a rule; `active`: watched, of which `percent` is the share. */
  coverage: z.object({ covered: count, active: count, total: count, percent: z.number() }),
  states: z.record(z.enum(ATTACK_STATES), count),
  /** Rules that the filter let through. */
  rules: count,
  /** Techniques that rules name and that this version of ATT&CK does not know. */
  unknown: z.array(z.string()),
  signals: count,
});
export type AttackMatrix = z.output<typeof attackMatrixSchema>;

/**
 * What a matrix can be narrowed by. `platform`, `tactic` and `state` choose techniques; `stream`, `stage` and `kind` choose
 * the rules that count; `text` finds techniques by id or name, or by the name of a rule.
 */
export const ATTACK_FILTER_KEYS = ['platform', 'tactic', 'state', 'stream', 'stage', 'kind', 'text'] as const;
export type AttackFilterKey = (typeof ATTACK_FILTER_KEYS)[number];

export const attackFilterSchema = z.object({
  filter_condition: z.enum(['AND']).default('AND'),
  filter_key: z.enum(ATTACK_FILTER_KEYS),
  filter_operand: z.enum(['exact', 'in', 'fuzzy']).default('exact'),
  filter_value: z.union([z.string().max(200), z.array(z.string().max(200)).max(50)]),
});
export type AttackFilter = z.output<typeof attackFilterSchema>;

/** `shipped`: comes with Tyrian; `own`: a workbook of the tenant; `imported`: a rule of a pack. */
export const ATTACK_RULE_KINDS = ['shipped', 'own', 'imported'] as const;

export const attackProofSchema = z.object({ kind: z.enum(['sample', 'true_positive']), at: epochMs });
export type AttackProof = z.output<typeof attackProofSchema>;

export const attackRuleSchema = z.object({
  rule_id: idSchema,
  name: z.string(),
  kind: z.enum(ATTACK_RULE_KINDS),
  /** The pack of an imported rule. */
  pack: z.string().nullable(),
  enabled: z.boolean(),
  state: z.enum(ATTACK_STATES),
  stage: z.enum(STAGES),
  techniques: z.array(techniqueIdSchema),
  /** Empty: any. */
  streams: z.array(z.string()),
  /** Streams of which nothing arrives, fields that no event has, and sources that fell silent. */
  lacks: z.object({
    streams: z.array(z.string()),
    fields: z.array(z.string()),
    sources: z.array(z.string()),
  }),
  proof: attackProofSchema.nullable(),
});
export type AttackRule = z.output<typeof attackRuleSchema>;

export const attackActorSchema = z.object({
  id: actorIdSchema,
  name: z.string(),
  kind: z.enum(['group', 'campaign']),
  aliases: z.array(z.string()),
  techniques: count,
});
export type AttackActor = z.output<typeof attackActorSchema>;

/** Days of signals that a matrix may count. */
export const ATTACK_DAYS = [1, 7, 30] as const;

export const attackSelection = {
  scope_id: idSchema,
  days: z.number().int().min(1).max(90).default(7),
  addfilters: z.array(attackFilterSchema).max(20).default([]),
};

/** A day of the calendar, UTC. */
export const daySchema = z.iso.date().max(10);
