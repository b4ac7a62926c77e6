// AES-GCM with a key that IndexedDB keeps and no script can read out.

export interface StorageCipher {
  /** Seals a value for its name: under another name it does not open. */
  seal(text: string, name: string): Promise<string>;
  /** The text; null when the value was sealed with another key, for another name, or damaged. */
  open(sealed: string, name: string): Promise<string | null>;
}

const DATABASE = 'tyrian';
const STORE = 'keys';
const NAME = 'storage';

/** The cipher of this browser; null when the page is not in a secure context. */
export async function openStorageKey(): Promise<StorageCipher | null> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return null;
  try {
    const database = await openDatabase();
    const key = (await readKey(database)) ?? (await makeKey(database));
    return cipherOf(key);
  } catch {
    return null;
  }
}

function cipherOf(key: CryptoKey): StorageCipher {
  return {
    async seal(text, name) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const body = await crypto.subtle.encrypt(sealing(iv, name), key, new TextEncoder().encode(text));
      return `${toBase64(iv)}.${toBase64(new Uint8Array(body))}`;
    },
    async open(sealed, name) {
      const [iv, body] = sealed.split('.');
      if (!iv || !body) return null;
      try {
        const plain = await crypto.subtle.decrypt(sealing(fromBase64(iv), name), key, fromBase64(body));
        return new TextDecoder().decode(plain);
      } catch {
        return null;
      }
    },
  };
}

function sealing(iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(name) };
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
}

function readKey(database: IDBDatabase): Promise<CryptoKey | undefined> {
  return settled(database.transaction(STORE).objectStore(STORE).get(NAME));
}

async function makeKey(database: IDBDatabase): Promise<CryptoKey> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).put(key, NAME));
  return key;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
