import type { Fields } from './event-row.ts';
import { DEEPEST_EXT } from './record-limits.ts';

// What no column holds, brought into a form that the store's JSON column takes.

/** Written as a name, this would reach the object that all others inherit from, and with it every event. */
const PROTOTYPE = '__proto__';

/** Names that are known to be paths as they are; looking one up takes less time than looking through it. */
const plainNames = new Set<string>();
const MOST_REMEMBERED = 5_000;

function isOddName(key: string): boolean {
  if (plainNames.has(key)) return false;
  if (key === '' || key === PROTOTYPE || key.includes('.') || key.includes('\0')) return true;
  if (plainNames.size < MOST_REMEMBERED) plainNames.add(key);
  return false;
}

/**
 * Keys that a path of the store cannot carry: empty, with an empty part, or with so many parts that unfolding them
 * would nest deeper than `maxLevels` levels.
 */
function safeKey(key: string, maxLevels: number): string {
  if (key === '') return '_';
  if (!isOddName(key)) return key;
  const parts = key
    .replaceAll('\0', '')
    .split('.')
    .filter((part) => part !== '')
    .map((part) => (part === PROTOTYPE ? '_proto_' : part));
  return parts.join(parts.length > maxLevels ? '_' : '.') || '_';
}

function ownField(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when some name of the object cannot be a path of the store as it is. */
function hasDottedNames(ext: Fields): boolean {
  for (const key in ext) if (isOddName(key)) return true;
  return false;
}

/** True when the store takes the fields as they are; they stand below `depth` others. */
function isStorable(fields: Fields, depth: number): boolean {
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || isOddName(name)) return false;
    if (typeof value === 'object' && !isStorableObject(value, depth + 1)) return false;
  }
  return true;
}

function isStorableObject(value: object | null, depth: number): boolean {
  if (value === null || depth >= DEEPEST_EXT) return false;
  if (!Array.isArray(value)) return isStorable(value as Fields, depth);
  return value.every((item) => typeof item !== 'object');
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST_EXT) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  return storableObject(value as Fields, depth);
}

/**
 * The fields as the store takes them: no nulls, no keys that are no paths, no depth beyond what it reads. The same object
 * where nothing has to be changed.
 */
export function storableFields(fields: Fields): Fields {
  return isStorable(fields, 0) ? fields : storableObject(fields, 0);
}

function storableObject(ext: Fields, depth: number): Fields {
  const clean: Fields = {};
  const dotted = hasDottedNames(ext);
  for (const name in ext) {
    const value = ext[name];
    if (value === null || value === undefined) continue;
    const key = dotted ? safeKey(name, DEEPEST_EXT - depth) : name;
    const levels = dotted ? key.split('.').length : 1;
    const nested = storable(value, depth + levels);
    if (!dotted) clean[key] = nested;
    else insertPath(clean, key, nested);
  }
  return clean;
}

/** `a.b` and `{a: {b}}` are one path of the store: the dotted name is unfolded, and a second value is renamed. */
function insertPath(into: Fields, key: string, value: unknown): void {
  const at = key.indexOf('.');
  if (at < 0) {
    const known = ownField(into, key);
    if (isPlain(known) && isPlain(value)) {
      for (const [name, inner] of Object.entries(value)) insertPath(known, name, inner);
    } else if (known === undefined) into[key] = value;
    else into[`${key}_`] = value;
    return;
  }
  const head = key.slice(0, at);
  const known = ownField(into, head);
  if (known === undefined) into[head] = {};
  else if (!isPlain(known)) {
    into[key.replaceAll('.', '_')] = value;
    return;
  }
  insertPath(into[head] as Fields, key.slice(at + 1), value);
}
