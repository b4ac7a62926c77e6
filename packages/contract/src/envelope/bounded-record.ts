import { z } from 'zod';

/** An object of any names with at most `most` fields; OpenAPI shows the bound as maxProperties. */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(
  name: K,
  value: V,
  most: number,
) {
  return z
    .record(name, value)
    .refine((record) => Object.keys(record).length <= most, { message: `at most ${most} fields are taken` })
    .meta({ maxProperties: most });
}
