import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { INPUT_LIMITS } from './input-limits.ts';

type Json = { readonly responses: Record<string, unknown> };

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly 'x-requirement'?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

describe('the description of the calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp();
  });
  afterAll(() => test.close());

  it('describes every endpoint that is bound, with its path parameters', async () => {
    const answer = await test.app.inject({ url: '/openapi.json' });
    expect(answer.statusCode).toBe(200);
    const document = answer.json() as { openapi: string; paths: Record<string, Record<string, Operation>> };
    expect(document.openapi).toBe('3.1.0');
    expect(test.app.boundEndpoints.length).toBeGreaterThan(0);
    for (const endpoint of test.app.boundEndpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()];
      expect(operation?.operationId, endpoint.path).toBe(endpoint.name);
      expect(operation?.tags).toEqual([endpoint.name.split('.')[0]]);
      expect(operation?.['x-requirement'], endpoint.name).toBe(endpoint.requirement);
      const named = operation?.parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(named).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    }
  });

  it('[S17] names the refusals of every call with the limits, and the bounds of its fields', async () => {
    const text = (await test.app.inject({ url: '/openapi.json' })).payload;
    const document = JSON.parse(text);
    for (const operations of Object.values(document.paths as Record<string, Record<string, Json>>)) {
      for (const operation of Object.values(operations)) {
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['413', '422', '429']));
      }
    }
    for (const { $ref } of Object.values<{ $ref?: string }>(
      document.paths['/lc/users/login'].post.responses,
    )) {
      if ($ref) expect(document.components.responses).toHaveProperty($ref.split('/').at(-1) ?? '');
    }
    const { depth, values, textLength } = INPUT_LIMITS;
    const told = document.components.responses.refused422.description;
    for (const limit of [depth, values, textLength]) expect(told).toContain(String(limit));
    const save = document.paths['/lc/users/views/save'].post.requestBody.content['application/json'].schema;
    expect(save.properties.name).toMatchObject({ minLength: 1, maxLength: 80 });
    expect(text).toContain('"maxProperties":100');
  });

  it('the page of the limits has the numbers of the program', () => {
    const page = readFileSync(new URL('../../../../docs/api-limits.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| ([\d,]+) \|/gm)].map(
      ([, name, value]) => [name, Number(value?.replaceAll(',', ''))] as const,
    );
    expect(Object.fromEntries(rows)).toEqual(INPUT_LIMITS);
  });

  it('gives every endpoint a name of its own', () => {
    const names = test.app.boundEndpoints.map((endpoint) => endpoint.name);
    expect([...names].sort()).toEqual([...new Set(names)].sort());
  });
});
