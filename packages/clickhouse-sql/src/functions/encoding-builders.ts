import { sql } from '../sql.ts';
import { BASE64_BUILDERS } from './base64-builders.ts';
import { arg, type Builder } from './builder.ts';
import { HASH_BUILDERS } from './hash-builders.ts';
import { PARSE_BUILDERS } from './parse-builders.ts';

/** Percent encoding in lower case with + for a space, as Kusto's url_encode does it. */
const formEncoded: Builder = (args) =>
  sql`arrayStringConcat(arrayMap(b -> multiIf(b = ' ', '+', match(b, '^[-0-9A-Za-z_.!*()]$'), b, concat('%', lower(hex(b)))), arrayMap(i -> substring(${arg(args, 0)}, i, 1), range(1, length(${arg(args, 0)}) + 1))))`;

/** Base64, addresses of the web, hashes, hexadecimal. */
export const ENCODING_BUILDERS: Readonly<Record<string, Builder>> = {
  ...BASE64_BUILDERS,
  ...HASH_BUILDERS,
  url_encode: formEncoded,
  url_encode_component: (args) => sql`encodeURLComponent(${arg(args, 0)})`,
  url_decode: (args) => sql`decodeURLFormComponent(${arg(args, 0)})`,
  tohex: (args) => {
    const bare = sql`lower(trimLeft(hex(reinterpretAsUInt64(toInt64(${arg(args, 0)})))))`;
    const digits = sql`if(${arg(args, 0)} = 0, '0', replaceRegexpOne(${bare}, '^0+', ''))`;
    return args[1]
      ? sql`if(length(${digits}) < ${arg(args, 1)}, leftPad(${digits}, toUInt64(greatest(${arg(args, 1)}, 0)), '0'), ${digits})`
      : digits;
  },
  ...PARSE_BUILDERS,
};
