import { z } from 'zod';
import { idSchema } from '../envelope/list-request.ts';

// A workbook is an ordered list of blocks. A detection has a KQL block, which finds rows, and below it a
// signal block, which says what a row means: its name, its ATT&CK technique, who did it and to whom.

export const SUSPECT_TYPES = ['host', 'user', 'object', 'process', 'hash', 'url', 'action', 'ip'] as const;
export const TARGET_TYPES = ['host', 'user', 'resource', 'port', 'ip'] as const;
export const CONFIDENCES = ['Low', 'Medium', 'High'] as const;

const fieldName = z.string().trim().min(1).max(200);

export const suspectSchema = z.object({ type: z.enum(SUSPECT_TYPES), field: fieldName });
export const targetSchema = z.object({ type: z.enum(TARGET_TYPES), field: fieldName });

/** What a row of the query above raises. `name` may hold fields as `_$Field_`. */
export const signalBodySchema = z.object({
  name: z.string().trim().min(1).max(300),
  tactic: z.string().max(60).default(''),
  technique: z.string().max(20).default(''),
  sub_technique: z.string().max(20).default(''),
  confidence: z.enum(CONFIDENCES).default('Medium'),
  score: z.number().int().min(1).max(10).default(5),
  suspects: z.array(suspectSchema).max(20).default([]),
  targets: z.array(targetSchema).max(20).default([]),
  tags: z.array(z.string().trim().min(1).max(60)).max(30).default([]),
  /** Knowledge base: Markdown for whoever triages the signal. */
  kb: z.string().max(50_000).default(''),
});
export type SignalBody = z.output<typeof signalBodySchema>;

const blockFields = { block_id: idSchema, collapsed: z.boolean().default(false) };

export const kqlBlockSchema = z.object({
  ...blockFields,
  type: z.literal('kql'),
  /** `duration` is the time range of a run by hand, e.g. `1h`; the scheduler has its own windows. */
  body: z.object({ query: z.string().max(100_000), duration: z.string().max(20).default('1h') }),
});
export const signalBlockSchema = z.object({
  ...blockFields,
  type: z.literal('signal'),
  body: signalBodySchema,
});
export const textBlockSchema = z.object({
  ...blockFields,
  type: z.literal('text'),
  body: z.object({ markdown: z.string().max(100_000) }),
});

export const blockSchema = z.discriminatedUnion('type', [kqlBlockSchema, signalBlockSchema, textBlockSchema]);
export type Block = z.output<typeof blockSchema>;
export type KqlBlock = z.output<typeof kqlBlockSchema>;
export type SignalBlock = z.output<typeof signalBlockSchema>;

/** The fields that a signal name holds as `_$Field_`, in order of appearance. */
export function placeholdersOf(name: string): { field: string; start: number; end: number }[] {
  return [...name.matchAll(/_\$([A-Za-z][A-Za-z0-9_.]*?)_(?![A-Za-z0-9])/g)].map((match) => ({
    field: match[1] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));
}
