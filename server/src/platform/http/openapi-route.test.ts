import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';

interface Operation {
  readonly operationId: string;
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
      expect(operation?.operationId, endpoint.path).toBe(endpoint.id);
      const named = operation?.parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(named).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    }
  });

  it('gives every endpoint an identifier of its own', () => {
    const ids = test.app.boundEndpoints.map((endpoint) => endpoint.id);
    expect([...ids].sort()).toEqual([...new Set(ids)].sort());
  });
});
