import { describe, expect, it } from 'vitest';
import { CONNECTOR_CONFIGS, type HttpPollerConfig } from './connector-config.ts';
import { CONNECTOR_KINDS, defaultsOf, secretsOf } from './connector-kinds.ts';

/** What a user does to a prepared form. */
const filledIn = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? {}).replace(/<([a-z-]+)>/g, 'my-$1'));

describe('the catalogue of connectors', () => {
  it('[T-CONNECTORS] has each kind once, with its secrets', () => {
    const names = CONNECTOR_KINDS.map(({ kind }) => kind);
    expect(new Set(names).size).toBe(names.length);
    expect(secretsOf('s3', {})).toEqual(['secret_key']);
    expect(secretsOf('http', { auth: 'none' })).toEqual([]);
    expect(defaultsOf('kafka')).toMatchObject({ tls: true, sasl: 'none' });
  });

  const prepared = CONNECTOR_KINDS.filter(({ config }) => config !== undefined);
  it.each(prepared.map((one) => [one.name, one] as const))(
    '[T-CONNECTORS] %s is a poller that moves on once its parts in angle brackets are filled in',
    (_name, { engine, config }) => {
      const read = CONNECTOR_CONFIGS[engine].parse(filledIn(config)) as HttpPollerConfig;
      expect(read.auth).not.toBe('none');
      expect(read.cursor === 'none').toBe(false);
      expect(read.cursor_path).not.toBe('');
      const asked = JSON.stringify([read.query, read.body]);
      expect(asked).toContain('{since}');
      // What pages lead on by is sent along.
      if (read.pagination === 'cursor') expect(asked).toContain('{cursor}');
      if (read.pagination === 'page') expect(asked).toContain('{page}');
      if (read.pagination === 'next-link' || read.pagination === 'cursor')
        expect(read.next_path).not.toBe('');
      if (read.body !== '') expect(() => JSON.parse(read.body) as unknown).not.toThrow();
    },
  );
});
