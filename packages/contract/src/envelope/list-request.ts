import { z } from 'zod';
import { reason } from '../messages/input-messages.ts';

// What list calls share: scope, page and filters, by the names of the specification.

/** An object id: never `admin`, which is a marker in paths. */
export const idSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/)
  .refine((id) => id !== 'admin', { message: reason('adminIsMarker') });

const filterText = z.string().max(4000);

export const addFilterSchema = z.object({
  filter_condition: z.enum(['AND', 'OR']).default('AND'),
  filter_key: z.string().min(1).max(128),
  filter_operand: z.enum(['exact', 'fuzzy', 'in', 'not_in', 'gt', 'lt', 'between']).default('exact'),
  filter_value: z.union([
    filterText,
    z.number(),
    z.boolean(),
    z.array(z.union([filterText, z.number()])).max(1000),
  ]),
});
export type AddFilter = z.output<typeof addFilterSchema>;

/** Fields of every list request; `pageno` counts from 1. */
export const pageFields = {
  pageno: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pagesize: z.coerce.number().int().min(1).max(10_000).default(50),
  addfilters: z.array(addFilterSchema).max(50).default([]),
};

/** A page of records and how many there are in all. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), total_count: z.number().int() });
}

/** A version or revision: what counts the changes of something, kept in four bytes. */
export const versionNumber = z.number().int().min(0).max(2_147_483_647);

/** What the dates of JavaScript reach, on either side of 1970. */
const LAST_DAY_MS = 8_640_000_000_000_000;

/** Milliseconds since 1970, UTC. */
export const epochMs = z.number().int().min(-LAST_DAY_MS).max(LAST_DAY_MS);
