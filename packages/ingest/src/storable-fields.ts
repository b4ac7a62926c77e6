import type { Fields } from './event-row.ts';

// What no column holds, brought into a form that the store's JSON column takes.

/** Nesting that the store accepts without risk; deeper values are kept as text. */
const DEEPEST_EXT = 20;

/** Keys that a path of the store cannot carry: empty, or with an empty part. */
function safeKey(key: string): string {
  if (key === '') return '_';
  if (!key.includes('.') && !key.includes('\0')) return key;
  const parts = key.replaceAll('\0', '').split('.');
  return parts.every((part) => part !== '')
    ? parts.join('.')
    : parts.filter((part) => part !== '').join('.') || '_';
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when some name of the object is also the beginning of another's dotted path. */
function hasDottedNames(ext: Fields): boolean {
  for (const key in ext) if (key === '' || key.includes('.') || key.includes('\0')) return true;
  return false;
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST_EXT) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  return storableObject(value as Fields, depth);
}

/** The fields as the store takes them: no nulls, no keys that are no paths, no depth beyond what it reads. */
export function storableFields(fields: Fields): Fields {
  return storableObject(fields, 0);
}

function storableObject(ext: Fields, depth: number): Fields {
  const clean: Fields = {};
  const dotted = hasDottedNames(ext);
  for (const name in ext) {
    const value = ext[name];
    if (value === null || value === undefined) continue;
    const key = dotted ? safeKey(name) : name;
    const nested = storable(value, depth + 1);
    if (!dotted) clean[key] = nested;
    else insertPath(clean, key, nested);
  }
  return clean;
}

/** `a.b` and `{a: {b}}` are one path of the store: the dotted name is unfolded, and a second value is renamed. */
function insertPath(into: Fields, key: string, value: unknown): void {
  const at = key.indexOf('.');
  if (at < 0) {
    const known = into[key];
    if (isPlain(known) && isPlain(value)) {
      for (const [name, inner] of Object.entries(value)) insertPath(known, name, inner);
    } else if (known === undefined) into[key] = value;
    else into[`${key}_`] = value;
    return;
  }
  const head = key.slice(0, at);
  const known = into[head];
  if (known === undefined) into[head] = {};
  else if (!isPlain(known)) {
    into[key.replaceAll('.', '_')] = value;
    return;
  }
  insertPath(into[head] as Fields, key.slice(at + 1), value);
}
