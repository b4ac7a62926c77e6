import { type Sql, sql, textParameter } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { commandLineSql } from './command-line-sql.ts';
import { parseXmlSql } from './parse-xml-sql.ts';

// Texts with a structure of their own, as bags and arrays.

const pair = (label: Sql, value: Sql): Sql => sql`concat('"', ${label}, '":', toJSONString(${value}))`;

const bagOf = (pairs: readonly Sql[]): Sql => {
  const [first, ...rest] = pairs;
  return sql`concat('{', ${rest.reduce((one: Sql, other): Sql => sql`concat(${one}, ',', ${other})`, first ?? sql`''`)}, '}')`;
};

/** Name and value of each pair of a query string, decoded. */
function queryPairs(query: Sql): Sql {
  const pairs = sql`arrayFilter(p -> p != '', splitByChar('&', ${query}))`;
  return sql`arrayStringConcat(arrayMap(p -> concat(toJSONString(decodeURLComponent(substringIndex(p, '=', 1))), ':', toJSONString(decodeURLComponent(if(position(p, '=') > 0, substring(p, position(p, '=') + 1), '')))), ${pairs}), ',')`;
}

const parseUrl: Builder = (args) => {
  const groups = sql`extractGroups(${arg(args, 0)}, '^(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(\\\\[[^\\\\]]*\\\\]|[^:/?#]*)(?::([0-9]+))?([^?#]*)(?:[?]([^#]*))?(?:#(.*))?$')`;
  return bagOf([
    pair(sql`'Scheme'`, sql`${groups}[1]`),
    pair(sql`'Host'`, sql`${groups}[4]`),
    pair(sql`'Port'`, sql`${groups}[5]`),
    pair(sql`'Path'`, sql`${groups}[6]`),
    pair(sql`'Username'`, sql`${groups}[2]`),
    pair(sql`'Password'`, sql`${groups}[3]`),
    sql`concat('"Query Parameters":{', ${queryPairs(sql`${groups}[7]`)}, '}')`,
    pair(sql`'Fragment'`, sql`${groups}[8]`),
  ]);
};

const PATH = {
  scheme: textParameter('^(?:([A-Za-z][A-Za-z0-9+.-]+)://)?((?s).*)$'),
  drive: textParameter(String.raw`^(?:\\\\[?.]\\)?([A-Za-z]:)`),
  folders: textParameter(String.raw`^((?s).*)[/\\]`),
  slash: textParameter(String.raw`[/\\]`),
  toSlash: textParameter(String.raw`^(?s).*[/\\]`),
};

/** Scheme, drive, folders, file and stream of a path with either kind of slash. */
const parsePath: Builder = (args) => {
  const groups = sql`extractGroups(${arg(args, 0)}, ${PATH.scheme})`;
  const rest = sql`${groups}[2]`;
  const drive = sql`extract(${rest}, ${PATH.drive})`;
  const hasFolder = sql`match(${rest}, ${PATH.slash})`;
  const directory = sql`if(${hasFolder}, extract(${rest}, ${PATH.folders}), ${drive})`;
  const last = sql`if(${hasFolder}, replaceRegexpOne(${rest}, ${PATH.toSlash}, ''), substring(${rest}, length(${drive}) + 1))`;
  const file = sql`splitByChar(':', ${last})[1]`;
  const folder = sql`replaceRegexpOne(${directory}, ${PATH.toSlash}, '')`;
  return bagOf([
    pair(sql`'Scheme'`, sql`${groups}[1]`),
    pair(sql`'RootPath'`, drive),
    pair(sql`'DirectoryPath'`, directory),
    pair(sql`'DirectoryName'`, sql`if(${folder} = ${drive}, '', ${folder})`),
    pair(sql`'Filename'`, file),
    pair(sql`'Extension'`, sql`extract(${file}, '[.]([^.]*)$')`),
    pair(
      sql`'AlternateDataStreamName'`,
      sql`if(position(${last}, ':') > 0, substring(${last}, position(${last}, ':') + 1), '')`,
    ),
  ]);
};

/** Bags and arrays from texts. */
export const PARSE_BUILDERS: Readonly<Record<string, Builder>> = {
  parse_url: parseUrl,
  parse_urlquery: (args) =>
    sql`concat('{"Query Parameters":{', ${queryPairs(sql`replaceRegexpOne(${arg(args, 0)}, '^[?]', '')`)}, '}}')`,
  parse_path: parsePath,
  parse_command_line: (args) => commandLineSql(arg(args, 0)),
  parse_xml: (args) => parseXmlSql(arg(args, 0)),
};
