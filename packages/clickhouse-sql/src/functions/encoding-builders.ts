import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { textSql } from './conversion-builders.ts';

const hashed =
  (fn: Sql): Builder =>
  (args) =>
    sql`lower(hex(${fn}(${args[0] ? sql`ifNull(toString(${textSql(args[0])}), '')` : sql`''`})))`;

/** Percent encoding in lower case with + for a space, as Kusto's url_encode does it. */
const formEncoded: Builder = (args) =>
  sql`arrayStringConcat(arrayMap(b -> multiIf(b = ' ', '+', match(b, '^[-0-9A-Za-z_.!*()]$'), b, concat('%', lower(hex(b)))), arrayMap(i -> substring(${arg(args, 0)}, i, 1), range(1, length(${arg(args, 0)}) + 1))))`;

/** Base64, addresses of the web, hashes, hexadecimal. */
export const ENCODING_BUILDERS: Readonly<Record<string, Builder>> = {
  base64_encode_tostring: (args) => sql`base64Encode(${arg(args, 0)})`,
  base64_decode_tostring: (args) => {
    const decoded = sql`tryBase64Decode(${arg(args, 0)})`;
    return sql`if(isValidUTF8(${decoded}), ${decoded}, '')`;
  },
  url_encode: formEncoded,
  url_encode_component: (args) => sql`encodeURLComponent(${arg(args, 0)})`,
  url_decode: (args) => sql`decodeURLFormComponent(${arg(args, 0)})`,
  hash_md5: hashed(sql`MD5`),
  hash_sha1: hashed(sql`SHA1`),
  hash_sha256: hashed(sql`SHA256`),
  tohex: (args) => {
    const bare = sql`lower(trimLeft(hex(reinterpretAsUInt64(toInt64(${arg(args, 0)})))))`;
    const digits = sql`if(${arg(args, 0)} = 0, '0', replaceRegexpOne(${bare}, '^0+', ''))`;
    return args[1]
      ? sql`if(length(${digits}) < ${arg(args, 1)}, leftPad(${digits}, toUInt64(greatest(${arg(args, 1)}, 0)), '0'), ${digits})`
      : digits;
  },
  parse_url: (args) => {
    const url = arg(args, 0);
    const groups = sql`extractGroups(${url}, '^(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^:/?#]*)(?::([0-9]+))?([^?#]*)(?:[?]([^#]*))?(?:#(.*))?$')`;
    const part = (label: Sql, index: Sql): Sql =>
      sql`concat('"', ${label}, '":', toJSONString(${groups}[${index}]))`;
    const pairs = sql`arrayFilter(p -> p != '', splitByChar('&', ${groups}[7]))`;
    const query = sql`arrayMap(p -> concat(toJSONString(decodeURLComponent(substringIndex(p, '=', 1))), ':', toJSONString(decodeURLComponent(if(position(p, '=') > 0, substring(p, position(p, '=') + 1), '')))), ${pairs})`;
    return sql`concat('{', ${part(sql`'Scheme'`, sql`1`)}, ',', ${part(sql`'Host'`, sql`4`)}, ',', ${part(sql`'Port'`, sql`5`)}, ',', ${part(sql`'Path'`, sql`6`)}, ',', ${part(sql`'Username'`, sql`2`)}, ',', ${part(sql`'Password'`, sql`3`)}, ',"Query Parameters":{', arrayStringConcat(${query}, ','), '},', ${part(sql`'Fragment'`, sql`8`)}, '}')`;
  },
  parse_urlquery: (args) => {
    const pairs = sql`arrayFilter(p -> p != '', splitByChar('&', replaceRegexpOne(${arg(args, 0)}, '^[?]', '')))`;
    const query = sql`arrayMap(p -> concat(toJSONString(decodeURLComponent(substringIndex(p, '=', 1))), ':', toJSONString(decodeURLComponent(if(position(p, '=') > 0, substring(p, position(p, '=') + 1), '')))), ${pairs})`;
    return sql`concat('{"Query Parameters":{', arrayStringConcat(${query}, ','), '}}')`;
  },
};
