import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundedRecord, idSchema, reason } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputRefusal, mistakesOf } from './input-refusal.ts';

const refused = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) throw new Error('was taken');
  return inputRefusal(mistakesOf(parsed.error.issues));
};

const field = (schema: z.ZodType) => z.object({ field: schema });

describe('input that a schema refuses', () => {
  it.each([
    ['missing', field(z.string()), {}],
    ['text', field(z.string()), { field: 1 }],
    ['number', field(z.number()), { field: 'x' }],
    ['wholeNumber', field(z.number().int()), { field: 1.5 }],
    ['flag', field(z.boolean()), { field: 'yes' }],
    ['list', field(z.array(z.string())), { field: 'x' }],
    ['object', field(z.object({})), { field: 'x' }],
    ['empty', field(z.string().min(1)), { field: '' }],
    ['tooShort', field(z.string().min(3)), { field: 'x' }],
    ['tooLong', field(z.string().max(3)), { field: 'xxxx' }],
    ['listTooShort', field(z.array(z.string()).min(2)), { field: ['x'] }],
    ['listTooLong', field(z.array(z.string()).max(1)), { field: ['x', 'y'] }],
    ['tooSmall', field(z.number().min(3)), { field: 1 }],
    ['tooLarge', field(z.number().max(3)), { field: 4 }],
    ['above', field(z.number().positive()), { field: 0 }],
    ['below', field(z.number().lt(3)), { field: 3 }],
    ['multiple', field(z.number().multipleOf(5)), { field: 3 }],
    ['format', field(z.string().regex(/^x$/)), { field: 'y' }],
    ['email', field(z.email()), { field: 'y' }],
    ['url', field(z.url()), { field: 'y' }],
    ['oneOf', field(z.enum(['a', 'b'])), { field: 'y' }],
    ['wrong', field(z.union([z.string(), z.number()])), { field: true }],
    ['host', field(z.string().regex(/^x$/, reason('host'))), { field: 'y' }],
    ['adminIsMarker', field(idSchema), { field: 'admin' }],
    ['tooManyFields', field(boundedRecord(z.string(), z.number(), 1)), { field: { a: 1, b: 2 } }],
  ] as const)('[R-C39] is told by code: %s', (code, schema, value) => {
    const { said, message, details } = refused(schema, value);
    expect(said).toMatchObject({
      code: 'input.field',
      values: { field: 'field', reason: { code: `reasons.${code}` } },
    });
    expect(message).toMatch(/^field: [a-z']/);
    expect(message).not.toContain('{{');
    expect(details).toMatchObject([{ path: 'field', messageCode: `reasons.${code}` }]);
  });

  it('[R-C39] carries the values of a rule of our own', () => {
    expect(refused(boundedRecord(z.string(), z.number(), 1), { a: 1, b: 2 })).toMatchObject({
      message: 'body: must have at most 1 fields',
      said: { code: 'input.body', values: { reason: { values: { most: 1 } } } },
    });
  });

  it('[R-C39] every rule in the contract gives its reason as a code', () => {
    const folder = fileURLToPath(new URL('../../../../packages/contract/src', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('messages'),
    );
    const literal = /\bmessage: ['"`]|\.regex\([^\n]*\/[a-z]*, ['"`]|\.refine\([^\n]*, ['"`]/;
    const found = files.filter((file) => literal.test(readFileSync(path.join(folder, file), 'utf8')));
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});
