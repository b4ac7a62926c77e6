import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { threadScript } from './built-program.mjs';

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = path.join(SERVER, 'bin', 'tyrian.mjs');

describe('the program', () => {
  beforeAll(async () => {
    await run(process.execPath, [PROGRAM, '--help']);
  });

  it('is built before it runs, with a script for each thread that it starts', () => {
    const starts = readdirSync(path.join(SERVER, 'src'), { recursive: true })
      .map(String)
      .filter((file) => /^start-[a-z-]+\.mjs$/.test(path.basename(file)));
    expect(starts.length).toBeGreaterThan(3);
    for (const start of starts) {
      const source = new URL(start, new URL('../', import.meta.url));
      const built = threadScript(source);
      expect(path.dirname(path.dirname(fileURLToPath(built)))).toBe(path.join(SERVER, 'dist'));
      expect(path.basename(built.pathname)).toBe(path.basename(start));
      expect(existsSync(built)).toBe(true);
    }
  });

  it('starts a thread from its source where there is no build of it', () => {
    const other = new URL('./testing/frail-decode-worker.mjs', import.meta.url);
    expect(threadScript(other)).toBe(other);
  });
});
