import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { textSql } from './conversion-builders.ts';

// `hash` is xxHash64 of the bytes of a value: the text of strings and dynamic values, eight bytes of numbers, moments
// (ticks since the year 1) and spans. How Kusto joins several hashes is not documented; here it is the usual mixing
// of a hash into a seed, so equal values give equal hashes, but not the numbers that Kusto gives.

const digest =
  (fn: Sql): Builder =>
  (args) =>
    sql`lower(hex(${fn}(${args[0] ? sql`ifNull(toString(${textSql(args[0])}), '')` : sql`''`})))`;

/** The bytes of a value that are hashed; null for null. */
function bytesOf(value: SqlValue): Sql {
  switch (value.type) {
    case 'string':
      return value.sql;
    case 'int':
    case 'long':
    case 'timespan':
    case 'bool':
      return sql`reinterpretAsFixedString(toInt64(${value.sql}))`;
    case 'datetime':
      return sql`reinterpretAsFixedString(toInt64(${value.sql} + 621355968000000000))`;
    case 'real':
      return sql`reinterpretAsFixedString(toFloat64(${value.sql}))`;
    default:
      return sql`toString(${textSql(value)})`;
  }
}

const hashOf = (value: SqlValue): Sql => sql`xxHash64(${bytesOf(value)})`;

const signed = (hash: Sql): Sql => sql`reinterpretAsInt64(${hash})`;

const mixed = (seed: Sql, hash: Sql): Sql =>
  sql`bitXor(${seed}, ${hash} + 11400714819323198485 + bitShiftLeft(${seed}, 6) + bitShiftRight(${seed}, 2))`;

const joinedHashes = (hashes: readonly Sql[]): Sql =>
  signed(hashes.reduce((seed, hash): Sql => mixed(seed, hash)));

/** Hashes of values. */
export const HASH_BUILDERS: Readonly<Record<string, Builder>> = {
  hash_md5: digest(sql`MD5`),
  hash_sha1: digest(sql`SHA1`),
  hash_sha256: digest(sql`SHA256`),
  hash: (args) => {
    const [value] = args;
    if (!value) return sql`NULL`;
    if (!args[1]) return signed(hashOf(value));
    return sql`if(${arg(args, 1)} > 0, toInt64(modulo(${hashOf(value)}, toUInt64(greatest(${arg(args, 1)}, 1)))), NULL)`;
  },
  hash_many: (args) => joinedHashes(args.map(hashOf)),
  hash_combine: (args) => joinedHashes(args.map((one): Sql => sql`reinterpretAsUInt64(${one.sql})`)),
};
