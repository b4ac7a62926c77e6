import type { Endpoint } from '@tyrian/contract';
import { z } from 'zod';
import type { Choice } from '../../../search/testing/seeded-choice.ts';

// Input that an endpoint takes, made from its own schema, so that a test can spoil one field of it.

export type Json = Record<string, unknown>;

/** A field of a sample: how it is reached, and the part of the schema that describes it. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly schema: Json;
}

export interface Sample {
  readonly value: unknown;
  readonly leaves: readonly Leaf[];
}

/** Values by the name of a field (`name`, `name:type`, `name[]` for a whole list; a
 * list under `name` is one to choose from), for what a schema cannot know: ids of things that are there, queries, times. */
export type KnownValues = Readonly<Record<string, unknown>>;

const FORMATS: Readonly<Record<string, string>> = {
  email: 'somebody@harbour.example',
  uri: 'https://127.0.0.1:9/x',
  cidrv4: '192.0.2.0/28',
  ipv4: '192.0.2.7',
  cidrv6: '2001:db8::/64',
  ipv6: '2001:db8::1',
};

class Builder {
  readonly leaves: Leaf[] = [];

  private readonly choice: Choice;
  private readonly known: KnownValues;

  constructor(choice: Choice, known: KnownValues) {
    this.choice = choice;
    this.known = known;
  }

  build(schema: Json, path: readonly (string | number)[]): unknown {
    const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (options) return this.build(this.choice.of(options), path);
    if (schema.allOf)
      return Object.assign({}, ...(schema.allOf as Json[]).map((one) => this.build(one, path)));
    this.leaves.push({ path, schema });
    if (schema.type === 'object') return this.object(schema, path);
    if (schema.type === 'array') {
      const known = this.known[`${path.at(-1)}[]`];
      if (known !== undefined) return known;
      return [this.build((schema.items ?? {}) as Json, [...path, 0])];
    }
    return this.scalar(schema, String(path.filter((name) => typeof name === 'string').at(-1) ?? ''));
  }

  private object(schema: Json, path: readonly (string | number)[]): unknown {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    const required = new Set((schema.required ?? []) as string[]);
    const made: Json = {};
    for (const [name, field] of fields) {
      if (required.has(name) || this.choice.below(10) < 7) made[name] = this.build(field, [...path, name]);
    }
    if (schema.additionalProperties && fields.length === 0) {
      made.name = this.build(schema.additionalProperties as Json, [...path, 'name']);
    }
    return made;
  }

  private scalar(schema: Json, name: string): unknown {
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.choice.of(schema.enum);
    if (schema.type === 'null') return null;
    const typed = `${name}:${schema.type}`;
    if (typed in this.known) return this.known[typed];
    if (name in this.known) {
      const wanted = this.known[name];
      const known = Array.isArray(wanted) ? this.choice.of(wanted) : wanted;
      if (typeof known === (schema.type === 'integer' ? 'number' : schema.type)) return known;
    }
    if ('default' in schema) return schema.default;
    if (schema.type === 'boolean') return this.choice.once(2);
    if (schema.type === 'string') return FORMATS[String(schema.format)] ?? this.text(schema);
    const { minimum = 0 } = schema as { minimum?: number };
    return Math.max(minimum, 1);
  }

  private text({ pattern, minLength = 1 }: Json): string {
    if (typeof pattern === 'string' && pattern.includes('\\.[a-z0-9-]+)+$')) return 'mail.example';
    return 'missing'.padEnd(Number(minLength), 'x');
  }
}

/** A sample of what the endpoint takes. Not every one passes: rules between fields stand in no JSON schema. */
export function validSample(endpoint: Endpoint, choice: Choice, known: KnownValues): Sample {
  const builder = new Builder(choice, known);
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Json;
  const value = builder.build(schema, []);
  return { value, leaves: builder.leaves };
}

/** A copy of the sample's value with another value in one field. */
export function spoiled(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((one, at) => (at === name ? spoiled(one, rest, by) : one));
  const fields = (value ?? {}) as Json;
  return { ...fields, [name]: spoiled(fields[name], rest, by) };
}
