import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { jsonArraySql } from './json-sql.ts';

// Bytes as base64. Compressed text is written as deflate blocks that are stored as they are: every reader of gzip and
// zlib takes them, but they are not smaller than the text, and not the bytes that another compressor writes.

const bytes = (text: Sql): Sql =>
  sql`arrayMap(i -> reinterpretAsUInt8(substring(${text}, i, 1)), range(1, length(${text}) + 1))`;

/** The decoded bytes; null for text that is no base64. */
const decoded = (text: Sql): Sql =>
  sql`if(${text} = '', '', nullIf(tryBase64Decode(replaceRegexpAll(${text}, '\\\\s', '')), ''))`;

/** A GUID's first three groups are stored with their low byte first. */
const reordered = (text: Sql): Sql =>
  sql`concat(reverse(substring(${text}, 1, 4)), reverse(substring(${text}, 5, 2)), reverse(substring(${text}, 7, 2)), substring(${text}, 9, 8))`;

/** Deflate blocks of at most 65,535 bytes, the last one marked. */
function storedBlocks(text: Sql): Sql {
  const count = sql`greatest(1, intDiv(length(${text}) + 65534, 65535))`;
  const block = sql`substring(${text}, (b - 1) * 65535 + 1, 65535)`;
  const size = (value: Sql): Sql => sql`char(modulo(${value}, 256), intDiv(${value}, 256))`;
  const head = sql`concat(char(if(b = ${count}, 1, 0)), ${size(sql`length(${block})`)}, ${size(sql`65535 - length(${block})`)})`;
  return sql`arrayStringConcat(arrayMap(b -> concat(${head}, ${block}), range(1, ${count} + 1)))`;
}

function gzip(text: Sql): Sql {
  const tail = (value: Sql): Sql => sql`reverse(unhex(leftPad(hex(toUInt32(${value})), 8, '0')))`;
  const stored = sql`concat(unhex('1F8B08000000000000FF'), ${storedBlocks(text)}, ${tail(sql`CRC32(${text})`)}, ${tail(sql`length(${text})`)})`;
  return sql`base64Encode(${stored})`;
}

function zlib(text: Sql): Sql {
  const values = bytes(text);
  const low = sql`modulo(1 + arraySum(arrayMap(x -> toUInt64(x), ${values})), 65521)`;
  const high = sql`modulo(length(${text}) + arraySum(arrayMap((x, i) -> toUInt64(x) * (length(${text}) - i + 1), ${values}, arrayEnumerate(${values}))), 65521)`;
  const check = sql`unhex(leftPad(hex(toUInt32(${high} * 65536 + ${low})), 8, '0'))`;
  return sql`base64Encode(concat(unhex('789C'), ${storedBlocks(text)}, ${check}))`;
}

/** Base64 of texts, arrays of bytes and GUIDs. */
export const BASE64_BUILDERS: Readonly<Record<string, Builder>> = {
  base64_encode_tostring: (args) => sql`base64Encode(${arg(args, 0)})`,
  base64_decode_tostring: (args) => {
    const text = decoded(arg(args, 0));
    return sql`if(isValidUTF8(ifNull(${text}, '')), ${text}, '')`;
  },
  base64_decode_toarray: (args) => {
    const text = decoded(arg(args, 0));
    return sql`if(isNull(${text}), NULL, toJSONString(${bytes(sql`ifNull(${text}, '')`)}))`;
  },
  base64_encode_fromarray: (args) => {
    const values = jsonArraySql(arg(args, 0));
    const valid = sql`arrayAll(x -> match(x, '^[0-9]{1,3}$') AND toUInt32OrZero(x) < 256, ${values})`;
    return sql`if(${valid}, base64Encode(arrayStringConcat(arrayMap(x -> char(toUInt32OrZero(x)), ${values}))), '')`;
  },
  base64_decode_toguid: (args) => {
    const text = sql`ifNull(${decoded(arg(args, 0))}, '')`;
    const digits = sql`hex(${reordered(text)})`;
    const grouped = sql`concat(substring(${digits}, 1, 8), '-', substring(${digits}, 9, 4), '-', substring(${digits}, 13, 4), '-', substring(${digits}, 17, 4), '-', substring(${digits}, 21))`;
    return sql`if(length(${text}) = 16, toUUIDOrNull(${grouped}), NULL)`;
  },
  base64_encode_fromguid: (args) => {
    const raw = sql`unhex(replaceAll(toString(${arg(args, 0)}), '-', ''))`;
    return sql`base64Encode(${reordered(raw)})`;
  },
  gzip_compress_to_base64_string: (args) => gzip(arg(args, 0)),
  zlib_compress_to_base64_string: (args) => zlib(arg(args, 0)),
};
