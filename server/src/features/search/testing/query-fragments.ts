// What mutations put into queries.

/** Names of tables, columns, steps, functions and the words around them. */
export const WORDS: readonly string[] =
  `Events Dns ProcessEvent SecurityEvent SigninLogs DeviceProcessEvents Ext Ext.a.b Ext["a"] Raw TimeGenerated EventID
  SrcIpAddr CommandLine Stream Scope EventUid SrcBytes DetectionScore _Im_Dns imAuthentication where extend project
  project-away project-keep project-rename project-reorder summarize distinct sort top take limit count join lookup union
  mv-expand mv-apply parse parse-where parse-kv make-series serialize range print datatable getschema as invoke render
  evaluate sample sample-distinct search find top-nested top-hitters scan partition fork facet reduce consume
  assert-schema externaldata materialize toscalar let declare pattern restrict set alias by on in in~ !in has has_any
  has_all contains startswith matches regex between and or not asc desc nulls first last kind=inner kind=leftouter
  kind=fullouter kind=leftanti kind=rightsemi withsource=x step from to with typeof(string) typeof(dynamic) null true
  false long int real decimal string bool datetime timespan guid dynamic count() dcount(SrcIpAddr) sum(SrcBytes)
  avg(SrcBytes) max(TimeGenerated) arg_max(TimeGenerated,*) make_list(Raw) make_set(Raw,5) make_bag(Ext)
  percentile(SrcBytes,95) hll(Raw) tdigest(SrcBytes) stdev(SrcBytes) now() ago(1d) bin(TimeGenerated,1h) strcat(Raw,1)
  tostring(Ext) toint(Raw) todatetime(Raw) totimespan(Raw) todynamic(Raw) parse_json(Raw) bag_keys(Ext) array_length(Ext)
  split(Raw,"a") extract("(a)",1,Raw) replace_regex(Raw,"a","b") extract_all("(a)",Raw) indexof(Raw,"a") substring(Raw,1)
  iff(true,1,2) case(true,1,2) coalesce(1,2) isnull(EventID) isempty(Raw) row_number() prev(EventID) next(EventID)
  row_cumsum(EventID) series_stats(Ext) series_fir(Ext,Ext) geo_point_to_geohash(1.0,2.0) geo_info_from_ip_address(Raw)
  ipv4_is_in_range(Raw,"10.0.0.0/8") hash_sha256(Raw) base64_decode_tostring(Raw) format_datetime(TimeGenerated,"yyyy")
  datetime_diff("day",TimeGenerated,now()) startofweek(TimeGenerated) column_ifexists("a",1) current_database()
  ingestion_time() pack_all() bag_pack("a",1) treepath(Ext) zip(Ext,Ext) url_decode(Raw) parse_url(Raw) parse_xml(Raw)
  binary_and(1,2) bag_unpack(Ext) pivot(Stream) narrow() autocluster() * ( ) [ ] { } , . .. ; | = == != =~ < >= + - / %`
    .split(/\s+/)
    .filter((word) => word !== '');

/** Values at their limits. */
export const LITERALS: readonly string[] = [
  '0',
  '-1',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '99999999999999999999999999',
  '1e308',
  '1e999',
  '0.1',
  'real(nan)',
  'real(+inf)',
  'real(-inf)',
  'decimal(0.1)',
  'decimal(99999999999999999999999999999999.9)',
  'int(null)',
  'long(null)',
  'dynamic(null)',
  'guid(74be27de-1e4e-49d9-b579-fe0b331d3642)',
  'guid(x)',
  'datetime(null)',
  'datetime(0001-01-01)',
  'datetime(9999-12-31T23:59:59.9999999)',
  'datetime(2026-02-30)',
  'time(1.00:00:00.0000001)',
  '1tick',
  '100000000d',
  '0d',
  '""',
  "''",
  '"\\u0000\\t"',
  '@"\\"',
  '"😀e\\u0301"',
  '"%_\\\\"',
  '"(?i)(("',
  '"{p0:String}"',
  '"`"',
  'h"secret"',
  '```multi\nline```',
  'dynamic([1,"a",null,{"b":[]}])',
  'dynamic({"a\\"b":{"c":1.5}})',
  'dynamic([[[[[[]]]]]])',
];

/** What might be taken for a way out of the tenant, or for SQL. */
export const FRAGMENTS: readonly string[] = [
  "url('http://127.0.0.1:1/', 'CSV', 'a String')",
  "file('/etc/passwd', 'LineAsString')",
  "remote('127.0.0.1', system.one)",
  "s3('http://127.0.0.1:1/x')",
  'system.users',
  'system.tables | take 1',
  "['system.users']",
  "['`system`.`users`']",
  'tenant_other.events',
  'database("tenant_other").events',
  'database("system").tables',
  'cluster("other").database("system").one',
  'cluster("x").Events',
  'workspace("other").Events',
  'app("other").requests',
  'adx("x").T',
  'resource("x").T',
  'union database("*").Events*',
  'union Ev*, sys*',
  'externaldata(x:string)["http://127.0.0.1:1/"]',
  'externaldata(x:string)[@"/etc/passwd"] with (format="txt")',
  'external_table("x")',
  'evaluate sql_request("Server=x", "select 1")',
  'evaluate http_request("http://127.0.0.1:1/")',
  'evaluate mysql_request("x", "y")',
  'evaluate python(typeof(*), "import os")',
  'materialized_view("x")',
  'cluster_query("x")',
  'SETTINGS max_threads = 64',
  'SETTINGS readonly = 0, allow_ddl = 1',
  'set readonly = 0;',
  'FORMAT JSON',
  "INTO OUTFILE '/tmp/x'",
  "'; DROP TABLE events; --",
  '"; DROP TABLE events; --"',
  "') UNION ALL SELECT name FROM system.users --",
  '`) UNION ALL SELECT 1 --',
  '/* x */',
  '-- x',
  '#x',
  '{p0:String}',
  '{p0:Identifier}',
  '$$x$$',
  "dictGet('tyrian_reference.ip_country', 'country', 1)",
  "joinGet('events', 'Raw', 1)",
  "getSetting('max_threads')",
  'currentUser()',
  'hostName()',
  'sleep(3)',
  'numbers(10)',
  'Scope in ("other")',
  'Scope == "other" or true',
  'Ext["`"]',
  "Ext['a`b']['c\\\\']",
  "['a b'] = 1",
  "['`'] = 1",
  '["Scope"]',
  '.show tables',
  '.drop table Events',
  'let Events = print x = 1;',
  'let where = 1;',
  'let f = (x:long) { f(x) };',
  'let a = b; let b = a;',
  '| project Scope, *',
  '| union (Events | where Scope != "s")',
  '| where Events',
  '| extend Ext = Ext',
  '| as x | join kind=inner x on Raw',
  '| mv-expand Ext, Raw limit 3',
  '| summarize by *',
  '| project-rename Scope = Raw',
  '| extend TimeGenerated = now()',
  '| take 9223372036854775807',
  '| take -1',
  '| top 5 by *',
  '| invoke f()',
  '| render timechart with (title="x", ymin=nan)',
];

/** Texts that trip over quoting, patterns and encodings. */
export const TEXTS: readonly string[] = [
  '""',
  "''",
  '"\\"',
  '"\'"',
  "'\"'",
  '"`"',
  '"{p0:String}"',
  '"\\u0000"',
  '"%_"',
  '"(?i)"',
  '"(("',
  '"[[:alpha:]"',
  '"\\\\1"',
  '"😀é"',
  '"a.b.c"',
  '"$.a[0]"',
  '"10.0.0.0/8"',
  '"2026-01-01"',
  '"1e400"',
  '"nan"',
  '"null"',
  '"[1,2"',
  '"{}"',
];

/** Steps that most tables can take. */
export const STEPS: readonly string[] = [
  '| count',
  '| take 3',
  '| limit 0',
  '| getschema',
  '| serialize n = row_number()',
  '| extend z = 1',
  '| extend z = tostring(pack_all())',
  '| extend z = now() - 1d',
  '| extend z = rand()',
  '| extend z = dynamic({"a":[1,null]}) | mv-expand z',
  '| extend z = iff(1 == 1, "a", "b") | summarize count() by z',
  '| project-reorder *',
  '| summarize n = count()',
  '| summarize take_any(*)',
  '| distinct *',
  '| as whole',
  '| union (print extra = 1)',
  '| union withsource = origin (print extra = 1)',
  '| extend key = 1 | join kind=inner (print key = 1) on key',
  '| extend key = "x" | join kind=leftouter (Events | extend key = Stream) on key',
  '| extend key = 1 | lookup (print key = 1, more = "x") on key',
  '| extend p = pack_all() | evaluate bag_unpack(p)',
  '| where true',
  '| where 1 == 2',
  '| where not(1 > 2) and isnotnull(1)',
  '| extend w = 1 | sort by w asc | extend before = prev(w), after = next(w)',
  '| extend w = 1 | top 2 by w',
  '| sample 2',
  '| render table',
  '| search "zq0000qz"',
  '| project a = 1, b = "two", c = 3.0, d = datetime(2026-01-01), e = 1h, f = dynamic([1]), g = true, h = guid(null)',
  '| summarize by z = 1',
  '| extend t = datetime(2026-01-01), v = 1 | make-series sum(v) on t from datetime(2026-01-01) to datetime(2026-01-02) step 1h',
];

/** What a whole query may stand in. */
export const FRAMES: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['let whole = (', '); whole'],
  ['let whole = materialize(', '); union whole, whole'],
  ['let whole = () { ', ' }; whole'],
  ['print toscalar(', ' | count)'],
  ['union (', '), Dns'],
  ['Events | extend key = 1 | join kind=leftanti (', ' | extend key = 1) on key'],
  ['Events | where Stream in ((', ' | project tostring(1)))'],
  ['Events | take 1 | union (', ')'],
  ['', ' | union (Events | take 1)'],
];
