import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contract from '../index.ts';

// Every text, list and record that a call takes has a bound in its schema, so that OpenAPI names it and nothing
// without one reaches a store.

type Json = Record<string, unknown>;

/** Places that take any JSON: the call hands them to a schema or a library of its own, which checks them. */
const CHECKED_LATER = new Set([
  // Bytes of a form, which the route bounds.
  'content.upload.file',
  'eventstores.preview.file',
  'eventstores.upload.file',
  'factors.confirmPasskey.passkey.*',
  'factors.verify.passkey.*',
  'lists.export.selection.*',
  'lists.exportOfPlatform.selection.*',
  // Base64 of bounded length, or the bytes of a form.
  'uploads.sendPiece.file',
]);

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);

/** The places of a JSON schema that take input without a bound. */
function unboundedPlaces(schema: Json, path: string): string[] {
  const found: string[] = [];
  const below = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null) found.push(...unboundedPlaces(value as Json, name));
  };
  // An address has a longest form of its own.
  const isFixed = 'enum' in schema || 'const' in schema || /^(cidr|ip)v[46]$/.test(String(schema.format));
  if (schema.type === 'string' && schema.maxLength === undefined && !isFixed) found.push(`${path}: text`);
  if (schema.type === 'array' && schema.maxItems === undefined) found.push(`${path}: list`);
  const meaning = Object.keys(schema).filter((key) => !['$schema', 'default', 'description'].includes(key));
  if (meaning.length === 0 && !CHECKED_LATER.has(path)) found.push(`${path}: anything`);
  for (const [name, value] of Object.entries((schema.properties ?? {}) as Json))
    below(`${path}.${name}`, value);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    for (const one of (schema[key] ?? []) as Json[]) below(path, one);
  }
  below(`${path}[]`, schema.items);
  if (schema.additionalProperties) {
    if (schema.maxProperties === undefined) found.push(`${path}: record`);
    below(`${path}.*`, schema.additionalProperties);
    below(`${path}.name`, schema.propertyNames);
  }
  if ('$ref' in schema) found.push(`${path}: $ref, which this test cannot follow`);
  return found;
}

describe('what a call takes', () => {
  it('[S17] has a bound for every text, list and record', () => {
    expect(ENDPOINTS.length).toBeGreaterThan(190);
    const found = ENDPOINTS.flatMap((endpoint) =>
      unboundedPlaces(z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }), endpoint.name),
    );
    expect(found).toEqual([]);
  });

  it('[S17] a record says how many fields it takes, and refuses more', () => {
    const { boundedRecord } = contract;
    const record = boundedRecord(z.string().max(3), z.number(), 2);
    expect(record.safeParse({ a: 1, b: 2 }).success).toBe(true);
    expect(record.safeParse({ a: 1, b: 2, c: 3 }).success).toBe(false);
    expect(unboundedPlaces(z.toJSONSchema(record), 'it')).toEqual([]);
    expect(unboundedPlaces(z.toJSONSchema(z.record(z.string(), z.string())), 'it')).toEqual([
      'it: record',
      'it.*: text',
      'it.name: text',
    ]);
  });
});
