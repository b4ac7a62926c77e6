import { webcrypto } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored, flushStorage, openStorage, readStored, writeStored } from './storage.ts';

/** A key store as small as the storage needs: one database, one store, one entry. */
function fakeIndexedDb() {
  const entries = new Map<string, unknown>();
  const settle = (
    result: unknown,
    first?: (request: { result: unknown; onupgradeneeded?: () => void }) => void,
  ) => {
    const request: { result: unknown; onsuccess?: () => void; onupgradeneeded?: () => void } = { result };
    queueMicrotask(() => {
      first?.(request);
      request.onsuccess?.();
    });
    return request;
  };
  const store = {
    get: (name: string) => settle(entries.get(name)),
    put: (value: unknown, name: string) => settle(entries.set(name, value) && undefined),
  };
  const database = { createObjectStore: () => store, transaction: () => ({ objectStore: () => store }) };
  return { entries, open: () => settle(database, (request) => request.onupgradeneeded?.()) };
}

let keys: ReturnType<typeof fakeIndexedDb>;

beforeEach(() => {
  localStorage.clear();
  keys = fakeIndexedDb();
  vi.stubGlobal('indexedDB', keys);
  vi.stubGlobal('crypto', webcrypto);
});
afterEach(() => vi.unstubAllGlobals());

describe('storage', () => {
  it('[S3-09] keeps nothing readable, and a key that cannot be taken out', async () => {
    await openStorage();
    writeStored('email', 'ada@example.org');
    await flushStorage();
    const written = JSON.stringify(localStorage);
    expect(written).toContain('tyrian.email');
    expect(written).not.toContain('ada@example.org');
    const key = keys.entries.get('storage') as CryptoKey;
    expect(key.extractable).toBe(false);
  });

  it('[S3-05] reads back after a reload', async () => {
    await openStorage();
    writeStored('name', { first: 'Ada' });
    await flushStorage();
    await openStorage();
    expect(readStored('name')).toEqual({ first: 'Ada' });
  });

  it('drops what another key has sealed', async () => {
    await openStorage();
    writeStored('name', 'Ada');
    await flushStorage();
    keys.entries.clear();
    await openStorage();
    expect(readStored('name')).toBeUndefined();
    expect(localStorage.length).toBe(0);
  });

  it('[S4-37] clears local and session storage, except the saved return URL', async () => {
    await openStorage();
    writeStored('ssid', 'secret');
    writeStored('historyUrl', '/c1/s1/incident/cases');
    sessionStorage.setItem('x', '1');
    localStorage.setItem('somebody-else', '1');
    await flushStorage();
    clearStored(['historyUrl']);
    await flushStorage();
    expect(readStored('ssid')).toBeUndefined();
    expect(readStored('historyUrl')).toBe('/c1/s1/incident/cases');
    expect(Object.keys(localStorage)).toEqual(['tyrian.historyUrl']);
    expect(sessionStorage.length).toBe(0);
  });

  it('[S3-09] takes nothing that was tampered with: plain text, a damaged value, a value moved to another name', async () => {
    await openStorage();
    writeStored('role', 'User - Viewer');
    writeStored('name', 'Root - Security Engineer');
    writeStored('email', 'ada@example.org');
    await flushStorage();
    localStorage.setItem('tyrian.role', localStorage.getItem('tyrian.name') ?? '');
    localStorage.setItem('tyrian.user', JSON.stringify({ authorized: true, role: 'Root' }));
    const sealed = localStorage.getItem('tyrian.email') ?? '';
    localStorage.setItem('tyrian.email', `${sealed.slice(0, -6)}AAAAA=`);
    await openStorage();
    for (const key of ['role', 'user', 'email'] as const) expect(readStored(key), key).toBeUndefined();
    expect(Object.keys(localStorage)).toEqual(['tyrian.name']);
  });

  it('writes nothing where the browser offers no cryptography', async () => {
    vi.stubGlobal('crypto', {});
    await openStorage();
    writeStored('ssid', 'secret');
    await flushStorage();
    expect(readStored('ssid')).toBe('secret');
    expect(localStorage.length).toBe(0);
  });
});
