import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as contract from '../index.ts';
import type { Endpoint } from './endpoint.ts';

// Every endpoint against section 7 of the specification, which stands written out in specified-calls.txt.

/** Calls that we answer otherwise than the list says, by name, with what we answer and why. */
const DEVIATIONS: Readonly<Record<string, { readonly call: string; readonly reason: string }>> = {
  'scopes.listAllByQuery': {
    call: 'GET /lc/mgmt/cluster/scope/list',
    reason:
      'the cluster id of C018 is optional: left out, it lists the scopes of every cluster that one reaches',
  },
};

/** Calls that nothing answers yet, by what they come with. */
const NOT_BUILT: Readonly<Record<string, readonly string[]>> = {
  'entity analytics': 'C071 C072 C073 C074 C075 C076 C077 C078 C079 C080'.split(' '),
  automation: ['C081', 'C112'],
  'machine learning': 'C108 C113 C126'.split(' '),
};

const LIST = readFileSync(new URL('specified-calls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string, string]);

/** Method and path as `GET /a/{}`: what a parameter is called makes no other call. */
const callOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\{\w+\}|:\w+/g, () => '{}')}`;

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);

describe('the calls of the specification', () => {
  it('the list names each once', () => {
    const ids = Array.from({ length: 134 }, (_, at) => `C${String(at + 1).padStart(3, '0')}`);
    expect(LIST.map(([id]) => id)).toEqual(ids);
    expect(new Set(LIST.map(([, method, path]) => callOf(method, path))).size).toBe(134);
  });

  it('each answers at the method and path of the list, but for the deviations', () => {
    const listed = new Map(LIST.map(([id, method, path]) => [id, callOf(method, path)]));
    const wrong = ENDPOINTS.flatMap(({ name, requirement, method, path }) => {
      if (requirement === undefined) return [];
      const expected = DEVIATIONS[name]?.call ?? listed.get(requirement);
      const call = callOf(method, path);
      return call === expected ? [] : [`${name}: ${call}, ${requirement} says ${expected}`];
    });
    expect(wrong).toEqual([]);
  });

  it('a deviation is one: its call stands nowhere in the list', () => {
    const listed = new Set(LIST.map(([, method, path]) => callOf(method, path)));
    for (const [name, { call }] of Object.entries(DEVIATIONS)) {
      expect(ENDPOINTS.find((endpoint) => endpoint.name === name)?.requirement, name).toBeDefined();
      expect(listed.has(call), name).toBe(false);
    }
  });

  it('each is answered, or said to be not built yet', () => {
    const answered = new Set(ENDPOINTS.map(({ requirement }) => requirement));
    const missing = LIST.map(([id]) => id).filter((id) => !answered.has(id));
    expect(missing).toEqual(Object.values(NOT_BUILT).flat().sort());
  });

  it('none of our own answers in the place of one', () => {
    const listed = new Map(LIST.map(([id, method, path]) => [callOf(method, path), id]));
    const taken = ENDPOINTS.filter(({ requirement }) => requirement === undefined).flatMap(
      ({ name, method, path }) => {
        const id = listed.get(callOf(method, path));
        return id ? [`${name} answers ${id}`] : [];
      },
    );
    expect(taken).toEqual([]);
  });
});

/** What a name may begin with after its area. A new verb comes here when no other says it. */
const VERBS =
  /^(accept|add|ask|assign|attribute|begin|cancel|change|check|clear|clone|compare|confirm|connect|count|create|decide|delete|disconnect|document|download|draft|edit|end|estimate|explain|export|fetch|find|follow|forget|give|import|invalidate|invoke|list|lock|login|logout|mark|move|preview|publish|read|release|remove|rename|renew|rerun|reset|resolve|restore|retry|revert|revoke|run|save|search|send|set|share|tag|take|test|upload|verify|view)(?![a-z])/;

describe('the names of the calls', () => {
  it('are area and verb, each once', () => {
    for (const { name } of ENDPOINTS) {
      expect(name).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
      expect(name.split('.')[1]).toMatch(VERBS);
    }
    expect(new Set(ENDPOINTS.map(({ name }) => name)).size).toBe(ENDPOINTS.length);
    expect(ENDPOINTS.length).toBeGreaterThan(200);
  });

  it('carry a requirement that is one, or none', () => {
    for (const { name, requirement } of ENDPOINTS)
      if (requirement !== undefined) expect(requirement, name).toMatch(/^C\d{3}$/);
  });
});
