import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { createSecretBox, secretBoxOf } from './secret-box.ts';

it('opens what it sealed, for the same purpose and key only', () => {
  const box = createSecretBox('a key of some length, whatever it is');
  const sealed = box.seal('pässword', 'smtp');
  expect(sealed).not.toContain('pässword');
  expect(box.seal('pässword', 'smtp')).not.toBe(sealed);
  expect(box.open(sealed, 'smtp')).toBe('pässword');
  expect(() => box.open(sealed, 'clickhouse')).toThrow();
  expect(() => createSecretBox('another key').open(sealed, 'smtp')).toThrow();
  expect(() => box.open(`${sealed.slice(0, -2)}AA`, 'smtp')).toThrow();
  expect(() => box.open('pässword', 'smtp')).toThrow('not a sealed text');
});

it('keeps its key in the data folder, for its owner only, unless the configuration gives one', () => {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tyrian-secret-'));
  try {
    const platform = { config: readConfig({}), dataFolder };
    const sealed = secretBoxOf(platform).seal('x', 'p');
    expect(secretBoxOf(platform).open(sealed, 'p')).toBe('x');
    expect(statSync(path.join(dataFolder, 'secret-key')).mode & 0o777).toBe(0o600);
    const config = readConfig({ TYRIAN_SECRET_KEY: 'k'.repeat(40) });
    expect(() => secretBoxOf({ config, dataFolder }).open(sealed, 'p')).toThrow();
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
