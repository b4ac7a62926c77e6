import { z } from 'zod';
import { reason } from '../messages/input-messages.ts';

/** An object of any names with at most `most` fields; OpenAPI shows the bound as maxProperties. */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(
  name: K,
  value: V,
  most: number,
) {
  return z
    .record(name, value)
    .refine((record) => Object.keys(record).length <= most, {
      message: reason('tooManyFields'),
      params: { most },
    })
    .meta({ maxProperties: most });
}
