import { openStorageKey, type StorageCipher } from './storage-cipher.ts';

// What the browser remembers. Values live in memory and are written through, encrypted, to local storage;
// the key never leaves the browser's key store. Where the page has no secure context, the browser offers no
// cryptography, and nothing is written: a reload then signs the user out rather than leaving plain text behind.

/** Names of what is stored; preferences of single screens use `prefs.<name>`. */
export type StoredKey =
  | 'version'
  | 'user'
  | 'role'
  | 'ssid'
  | 'loginStatus'
  | 'otpStatus'
  | 'email'
  | 'name'
  | 'isInvalid'
  | 'notifications'
  | 'settings'
  | 'historyUrl'
  | 'acceptPath'
  | 'UserAcc'
  | 'Clusters'
  | 'EnabledScopes'
  | 'SelectedScope'
  | 'SelectedCluster'
  | `prefs.${string}`;

const PREFIX = 'tyrian.';
const values = new Map<string, unknown>();
const watchers = new Set<(key: string) => void>();
let cipher: StorageCipher | null = null;
let pending: Promise<void> = Promise.resolve();

/** Reads everything stored into memory; call once before the first render. */
export async function openStorage(): Promise<void> {
  cipher = await openStorageKey();
  values.clear();
  if (!cipher) return;
  for (const name of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
    const sealed = localStorage.getItem(name);
    const text = sealed === null ? null : await cipher.open(sealed, name);
    if (text === null) localStorage.removeItem(name);
    else values.set(name.slice(PREFIX.length), JSON.parse(text));
  }
}

/** The stored value, or undefined. The caller knows its type. */
export function readStored<T>(key: StoredKey): T | undefined {
  return values.get(key) as T | undefined;
}

/** Stores a value that JSON can hold; `undefined` removes it. */
export function writeStored(key: StoredKey, value: unknown): void {
  if (value === undefined) {
    values.delete(key);
    enqueue(async () => localStorage.removeItem(PREFIX + key));
  } else {
    values.set(key, value);
    const text = JSON.stringify(value);
    enqueue(async () => {
      if (cipher) localStorage.setItem(PREFIX + key, await cipher.seal(text, PREFIX + key));
    });
  }
  for (const watcher of watchers) watcher(key);
}

/** Forgets everything in local and session storage, except the keys named. */
export function clearStored(keep: readonly StoredKey[] = []): void {
  for (const key of [...values.keys()]) {
    if (!keep.includes(key as StoredKey)) values.delete(key);
  }
  enqueue(async () => {
    for (const name of Object.keys(localStorage)) {
      if (!keep.some((key) => name === PREFIX + key)) localStorage.removeItem(name);
    }
    sessionStorage.clear();
  });
  for (const watcher of watchers) watcher('*');
}

/** Resolves when everything written so far is on disk; await it before a reload. */
export function flushStorage(): Promise<void> {
  return pending;
}

/** Calls back with the key after each change (`*`: everything); returns the way to stop. */
export function watchStored(watcher: (key: string) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function enqueue(work: () => Promise<void>): void {
  pending = pending.then(work).catch(() => undefined);
}
