import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';

interface Case {
  readonly query: string;
  readonly code: string;
  readonly at?: readonly [number, number];
  readonly message: string;
  readonly hint?: string;
  /** The query after the first change that is offered. */
  readonly mended?: string;
}

const schema = eventSchema([
  { stream: 'Dns', path: 'RuleName', type: 'string' },
  { stream: 'CloudAudit', path: 'request.bucket', type: 'string' },
]);
const folder = new URL('../../corpus/errors/', import.meta.url);

const casesIn = (place: URL): Case[] =>
  readdirSync(place)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, place), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Case);

const first = (query: string) =>
  compileKql(query, { schema, now: new Date(0), unknownColumns: 'warn' }).diagnostics[0];

describe('messages about mistakes', () => {
  it.each(casesIn(folder))('$query', ({ query, code, at, message, hint, mended }) => {
    const found = first(query);
    expect(found).toMatchObject({ code, message, ...(hint ? { hint } : {}) });
    if (at) expect([found?.span.start, found?.span.end]).toEqual(at);
    const fix = found?.fixes?.[0];
    const after = fix && query.slice(0, fix.span.start) + fix.text + query.slice(fix.span.end);
    expect(after).toBe(mended);
  });

  it('keeps what is still to mend in the folder of shame, and nothing that is mended', () => {
    for (const { query, code, message } of casesIn(new URL('ashamed/', folder)))
      expect(first(query)).toMatchObject({ code, message });
  });
});
