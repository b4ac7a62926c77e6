import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { searchRangeSchema } from '../search/search-values.ts';

// A rule drafted from events of a search: what they share and the rest of their day does not have, as Sigma and as KQL.

/** Events that one draft is made of. */
export const MOST_DRAFT_EVENTS = 50;
/** Conditions that are offered, chosen or not. */
export const MOST_DRAFT_CONDITIONS = 30;

export const DRAFT_OPERATORS = ['equals', 'contains', 'startswith', 'endswith'] as const;

const draftConditionFields = {
  /** A column, or `Ext` and the names of a path below it. */
  path: z.array(z.string().min(1).max(256)).min(1).max(8),
  operator: z.enum(DRAFT_OPERATORS),
  /** One of them holds. */
  values: z.array(z.string().min(1).max(2000)).min(1).max(10),
  is_on: z.boolean(),
};
export const draftConditionSchema = z.object({
  ...draftConditionFields,
  /** The name of the field in the Sigma rule; null where Sigma has none. */
  sigma_field: z.string().nullable(),
  /** Other events of the day that it matches alone, of those that were compared. */
  others: z.number().int(),
});
export type DraftCondition = z.output<typeof draftConditionSchema>;

/** Why there is no Sigma rule. */
export const NO_SIGMA_REASONS = ['no-log-source', 'no-field', 'does-not-match'] as const;

export const ruleDraftSchema = z.object({
  /** `nothing-shared`: no value tells the events from others; then there is no draft. */
  state: z.enum(['drafted', 'nothing-shared']),
  range: searchRangeSchema,
  events: z.number().int(),
  streams: z.array(z.string()),
  /** Other events of the same kind that the conditions were compared with; `all` is false where there are more. */
  compared: z.object({ events: z.number().int(), all: z.boolean() }),
  conditions: z.array(draftConditionSchema),
  sigma: z
    .object({
      text: z.string(),
      /** The selected events as samples that have to match: lines for the end of the text; empty when they are too long. */
      samples: z.string(),
      kql: z.string(),
      log_source: z.object({
        category: z.string().nullable(),
        product: z.string().nullable(),
        service: z.string().nullable(),
      }),
      /** Other events of the day that it matches. */
      others: z.number().int(),
    })
    .nullable(),
  no_sigma: z.enum(NO_SIGMA_REASONS).nullable(),
  kql: z
    .object({
      text: z.string(),
      others: z.number().int(),
      /** Whether every selected event matches; so it is, unless conditions were sent along. */
      matches_all: z.boolean(),
    })
    .nullable(),
});
export type RuleDraft = z.output<typeof ruleDraftSchema>;

export const draftRule = endpoint({
  name: 'rules.draft',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/api/rules/draft',
  summary:
    'Draft a rule from events: the fewest conditions that match all of them and little else of their day, verified as Sigma and as KQL. Events are at most 50 and lie within a day; one that is not there is not found',
  input: z.object({
    scope_id: idSchema,
    events: z
      .array(
        z.object({
          uid: z.guid().max(36),
          /** TimeGenerated, epoch milliseconds. */
          time: z.number().int().min(0).max(253_402_300_799_999),
        }),
      )
      .min(1)
      .max(MOST_DRAFT_EVENTS),
    /** Verifies these instead of choosing. */
    conditions: z.array(z.object(draftConditionFields)).min(1).max(MOST_DRAFT_CONDITIONS).optional(),
  }),
  output: ruleDraftSchema,
  access: { kind: 'roles', in: 'scope', tags: ['engineer'] },
});
export type DraftRequest = z.input<typeof draftRule.input>;
