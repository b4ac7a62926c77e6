import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { named } from './series-sql.ts';

// The components of a graph. Each node begins with a label of its own; every edge gives all nodes that have the label of
// its one end that of the other. The work grows with edges times nodes, so there is a limit to the edges.

const MAX_EDGES = sql`10000`;

const components: Builder = (args) => {
  const told = sql`'graph-mark-components takes graphs of 10,000 edges and nodes at most'`;
  const pairs = sql`arrayDistinct(arrayMap(gp -> JSONExtractArrayRaw(gp), JSONExtractArrayRaw(ifNull(${arg(args, 0)}, '[]'))))`;
  const limited = sql`if(throwIf(length(gl) > ${MAX_EDGES}, ${told}) = 0, gl, [])`;
  const ends = (rest: Sql): Sql => sql`arrayFilter((gn, gi) -> gi % 2 = ${rest}, gd, arrayEnumerate(gd))`;
  const edges = sql`arrayFilter(ge -> ge.1 != ge.2, arrayZip(${ends(sql`1`)}, ${ends(sql`0`)}))`;
  const relabelled = sql`arrayMap((gn, ga, gb) -> if(gn = gb, ga, gn), gs, arrayResize([gs[ge.1]], length(gs), gs[ge.1]), arrayResize([gs[ge.2]], length(gs), gs[ge.2]))`;
  const labels = sql`arrayFold((gs, ge) -> if(gs[ge.1] = gs[ge.2], gs, ${relabelled}), ${edges}, arrayMap(gi -> toUInt32(gi), range(1, toUInt64(arrayMax(gd)) + 1)))`;
  const rows = sql`arrayMap((gn, gc) -> concat('[', gn, ',', toString(gc - 1), ']'), arrayDistinct(gf), arrayEnumerateDense(${labels}))`;
  const numbered = named({ gd: sql`arrayEnumerateDense(gf)` }, rows);
  const flat = named({ gf: sql`arrayFlatten(${limited})` }, sql`if(empty(gf), [], ${numbered})`);
  return sql`concat('[', arrayStringConcat(${named({ gl: pairs }, flat)}, ','), ']')`;
};

/** What graph operators work out of a whole graph. */
export const GRAPH_BUILDERS: Readonly<Record<string, Builder>> = { graph_components: components };
