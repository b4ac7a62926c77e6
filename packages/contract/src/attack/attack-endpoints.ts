import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import {
  ATTACK_STATES,
  actorIdSchema,
  attackActorSchema,
  attackCellSchema,
  attackMatrixSchema,
  attackRuleSchema,
  attackSelection,
  daySchema,
  techniqueIdSchema,
} from './attack.ts';

const access = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const count = z.number().int();
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/wrk/api/${name}`;
const named = z.object({ id: z.string(), name: z.string() });

export const attackTactics = endpoint({
  name: 'attack.listTactics',
  requirement: 'C117',
  audit: 'nothing',
  method: 'GET',
  path: path('attack/matrix'),
  summary: 'The tactics of ATT&CK, with what a matrix can be narrowed to',
  input: z.object(scope),
  output: z.object({
    version: z.string(),
    /** What MITRE asks to be said wherever its names are shown. */
    notice: z.string(),
    tactics: z.array(named.extend({ techniques: count })),
    platforms: z.array(z.string()),
  }),
  access,
});

export const attackMatrix = endpoint({
  name: 'attack.readMatrix',
  requirement: 'C118',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/matrix'),
  summary: 'Each technique of ATT&CK with its state in the scope, its rules and its signals of some days',
  input: z.object({ ...attackSelection, tab: z.enum(['coverage', 'signals']).default('coverage') }),
  output: attackMatrixSchema,
  access,
});

const streamSchema = z.object({
  stream: z.string(),
  last_event: epochMs.nullable(),
  is_silent: z.boolean(),
  /** Sources that fed it and fell silent. */
  silent_sources: z.array(z.string()),
});

export const techniqueData = endpoint({
  name: 'attack.readTechnique',
  requirement: 'C114',
  audit: 'nothing',
  method: 'POST',
  path: path('get_mitre_technique_data'),
  summary: 'A technique: its rules with what each lacks, the streams that they read, and who uses it',
  input: z.object({ ...scope, technique_id: techniqueIdSchema }),
  output: attackCellSchema.omit({ signal_count: true }).extend({
    tactics: z.array(z.string()),
    platforms: z.array(z.string()),
    /** Of a sub-technique. */
    parent: named.nullable(),
    /** At most 500 of them, those on first; `total` says how many there are. */
    rules: z.array(attackRuleSchema),
    streams: z.array(streamSchema),
    actors: z.array(named.extend({ kind: z.enum(['group', 'campaign']) })),
  }),
  access,
});

export const techniqueSignals = endpoint({
  name: 'attack.readTechniqueSignals',
  requirement: 'C115',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/get_workbook_signal_count'),
  summary: 'The signals of a technique over time, by the rule that raised them',
  input: z.object({ ...scope, technique_id: techniqueIdSchema, days: attackSelection.days }),
  output: z.object({
    start: epochMs,
    end: epochMs,
    interval_ms: count,
    total: count,
    /** Those with most signals, at most 20; the others count in `total`. */
    workbooks: z.array(
      z.object({
        workbook_id: z.string(),
        name: z.string(),
        total: count,
        /** A slice without signals is absent. */
        points: z.array(z.object({ time: epochMs, count })),
      }),
    ),
  }),
  access,
});

const models = (name: string) => `/:clusterId/api/models/${name}`;

export const subtechniqueNames = endpoint({
  name: 'attack.listSubtechniques',
  requirement: 'C132',
  audit: 'nothing',
  method: 'GET',
  path: models('get_subtechnique_data'),
  summary: 'The sub-techniques of a technique, or all of them',
  input: z.object({ ...scope, technique_id: techniqueIdSchema.optional() }),
  output: z.array(named.extend({ parent: techniqueIdSchema })),
  access,
});

export const subtechniqueData = endpoint({
  name: 'attack.readSubtechniques',
  requirement: 'C133',
  audit: 'nothing',
  method: 'POST',
  path: models('get_subtechnique_data'),
  summary: 'The sub-techniques of a technique with their states in the scope',
  input: z.object({ ...attackSelection, technique_id: techniqueIdSchema }),
  output: z.array(attackCellSchema),
  access,
});

export const landingCoverage = endpoint({
  name: 'attack.readCoverage',
  requirement: 'C134',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/landingpage/coverage',
  summary: 'How many techniques of ATT&CK the scope has rules for, and how many of them would be seen',
  input: z.object(scope),
  output: z.object({
    techniques_total: count,
    /** With a rule, on or off. */
    techniques_covered: count,
    /** With a rule that is on and sees its events. */
    techniques_active: count,
    techniques_blind: count,
    by_tactic: z.array(z.object({ tactic: z.string(), covered: count, active: count, total: count })),
  }),
  access,
});

export const ATTACK_GAP_CAUSES = ['off', 'stream', 'field'] as const;

export const attackGaps = endpoint({
  name: 'attack.listGaps',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/gaps'),
  summary:
    'What would cover techniques that nothing watches: rules to switch on, streams and fields to bring in',
  input: z.object({ scope_id: attackSelection.scope_id, addfilters: attackSelection.addfilters }),
  output: z.array(
    z.object({
      cause: z.enum(ATTACK_GAP_CAUSES),
      /** The stream or the field; of rules that are off, the pack. Empty: those that come with Tyrian, or own workbooks. */
      name: z.string(),
      kind: attackRuleSchema.shape.kind.nullable(),
      /** Techniques and sub-techniques that would be watched. */
      techniques: z.array(named),
      rule_count: count,
      /** The first of them. */
      rules: z.array(z.object({ rule_id: idSchema, name: z.string() })),
    }),
  ),
  access,
});

export const attackActors = endpoint({
  name: 'attack.listActors',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/actors'),
  summary: 'The groups and campaigns that ATT&CK knows',
  input: z.object(scope),
  output: z.array(attackActorSchema),
  access,
});

export const attackHistory = endpoint({
  name: 'attack.listDays',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/days'),
  summary: 'Days whose coverage is kept, newest first; a day on which nothing changed is not kept again',
  input: z.object(scope),
  output: z.array(z.object({ day: daySchema, covered: count, active: count, total: count })),
  access,
});

export const attackComparison = endpoint({
  name: 'attack.compare',
  audit: 'nothing',
  method: 'POST',
  path: path('attack/compare'),
  summary: 'The states of today beside a layer, the techniques of a group or campaign, or an earlier day',
  input: z.object({
    ...scope,
    against: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('layer'), layer_id: idSchema }),
      z.object({ kind: z.literal('actor'), actor_id: actorIdSchema }),
      z.object({ kind: z.literal('day'), day: daySchema }),
    ]),
  }),
  output: z.object({
    name: z.string(),
    /** It tells states, so that better and worse can be told; else it tells only which techniques matter. */
    has_states: z.boolean(),
    /** Techniques that it names, or that differ where it has states. */
    techniques: z.array(
      z.object({
        id: techniqueIdSchema,
        name: z.string(),
        now: z.enum(ATTACK_STATES),
        before: z.enum(ATTACK_STATES).nullable(),
      }),
    ),
    /** Of those that it names. */
    figures: z.object({ named: count, watched: count, blind: count, better: count, worse: count }),
    /** Ids that this version of ATT&CK does not know. */
    unknown: z.array(z.string()),
  }),
  access,
});
