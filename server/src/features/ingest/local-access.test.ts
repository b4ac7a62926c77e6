import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalAccess, readLocalToken } from './local-access.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tyrian-local-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secret of the own machine', () => {
  it('[R-B] is compared with any text: characters beyond ASCII are a wrong token, not a fault', () => {
    const unused = {} as never;
    const local = createLocalAccess({ dataFolder: folder, postgres: unused, sources: unused });
    local.start();
    const secret = readLocalToken(folder) ?? '';
    expect(local.isLocal(secret)).toBe(true);
    expect(local.isLocal(`é${secret.slice(1)}`)).toBe(false);
    expect(local.isLocal('é'.repeat(secret.length))).toBe(false);
    expect(local.isLocal('')).toBe(false);
  });
});
