import { type Sql, sql, textParameter } from '../sql.ts';

const TOKENS = textParameter(String.raw`"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+`);

/**
 * The paths inside a dynamic value, in order and each once, the elements of an array all as `[0]`: the tokens of its
 * JSON are folded over a stack of (path of the container, is a bag), the key at hand and whether a key comes next.
 */
export function treePathSql(json: Sql): Sql {
  const path = sql`multiIf(empty(s.1), '', s.1[1].2, concat(s.1[1].1, '[\\'', s.2, '\\']'), concat(s.1[1].1, '[0]'))`;
  const found = sql`if(${path} = '', s.4, arrayPushBack(s.4, ${path}))`;
  const container = sql`(arrayPushFront(s.1, (${path}, t = '{')), '', t = '{', ${found})`;
  const step = sql`multiIf(t IN ('{', '['), ${container}, t IN ('}', ']'), (arrayPopFront(s.1), '', false, s.4), t = ':', (s.1, s.2, false, s.4), t = ',', (s.1, '', s.1[1].2, s.4), s.3, (s.1, JSONExtractString(t), false, s.4), (s.1, s.2, false, ${found}))`;
  const start = sql`(CAST([], 'Array(Tuple(String, Bool))'), '', false, CAST([], 'Array(String)'))`;
  const folded = sql`arrayFold((s, t) -> ${step}, extractAll(ifNull(${json}, ''), ${TOKENS}), ${start})`;
  return sql`if(match(ifNull(${json}, ''), '^[{[]'), toJSONString(arrayDistinct(${folded}.4)), NULL)`;
}
