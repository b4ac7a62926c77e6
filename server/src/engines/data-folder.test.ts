import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { othersCanReach, prepareDataFolder } from './data-folder.ts';
import { lockDataFolder, processStartTime } from './data-lock.ts';
import { isRoot } from './engine-identity.ts';
import { engineSecrets } from './engine-secrets.ts';

describe('the data folder', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'tyrian-folder-'));
    chmodSync(base, 0o755);
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('sees whether another user can walk there, also before it exists', () => {
    expect(othersCanReach(path.join(base, 'a', 'b'))).toBe(true);
    mkdirSync(path.join(base, 'closed'), { mode: 0o700 });
    expect(othersCanReach(path.join(base, 'closed', 'a'))).toBe(false);
    mkdirSync(path.join(base, 'closed', 'open'), { mode: 0o755 });
    expect(othersCanReach(path.join(base, 'closed', 'open'))).toBe(false);
  });

  it.runIf(isRoot())(
    'as root, refuses a folder that the users of the engines cannot reach, when it was asked for',
    () => {
      mkdirSync(path.join(base, 'closed'), { mode: 0o700 });
      expect(() => prepareDataFolder(path.join(base, 'closed', 'data'), base)).toThrow(
        /TYRIAN_DATA: .*closed/,
      );
    },
  );

  it('makes the folder and closes it to others', () => {
    const folder = prepareDataFolder(path.join(base, 'x', 'data'), base);
    expect(statSync(folder).mode & 0o066).toBe(0);
  });

  it('says what is wrong with a folder that cannot be used', () => {
    writeFileSync(path.join(base, 'file'), '');
    expect(() => prepareDataFolder(path.join(base, 'file'), base)).toThrow('TYRIAN_DATA');
    expect(() => prepareDataFolder(path.join(base, 'file', 'below'), base)).toThrow('TYRIAN_DATA');
  });

  it('is held by one process, by name', () => {
    const unlock = lockDataFolder(base);
    expect(() => lockDataFolder(base)).toThrow(`process ${process.pid}`);
    unlock();
    lockDataFolder(base)();
    expect(existsSync(path.join(base, 'tyrian.lock'))).toBe(false);
  });

  it.each([
    ['a process that is gone', '999999999 12345'],
    ['another process with the same id', `${process.pid} 1`],
    ['nobody: the file is damaged', 'rubbish'],
    ['nobody: the file is empty', ''],
  ])('takes over a lock of %s', (_who, text) => {
    writeFileSync(path.join(base, 'tyrian.lock'), text);
    lockDataFolder(base)();
  });

  it('knows when a process started', () => {
    expect(processStartTime(process.pid)).toMatch(/^\d+$/);
    expect(processStartTime(999_999_999)).toBeNull();
  });

  it('keeps the passwords of its engines, readable by their owner only', () => {
    const made = engineSecrets(base);
    expect(engineSecrets(base)).toEqual(made);
    expect(statSync(path.join(base, 'engine-secrets.json')).mode & 0o777).toBe(0o600);
    writeFileSync(path.join(base, 'engine-secrets.json'), '{}');
    expect(() => engineSecrets(base)).toThrow('damaged');
  });
});
