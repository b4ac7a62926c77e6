import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { isOnGlobe, onPoint } from './globe-sql.ts';

// A point of each row against a shape that the compiler has taken apart: JSON arrays of edges with their ends (1 to 3,
// 4 to 6), the normal of their plane (7 to 9), the planes on their ends (10 to 12, 13 to 15), the product of their ends
// (16 to 18), the cosine between them (19) and the direction of their ring (20).

const EARTH = sql`6371010`;

/** `e[first] * x + ...` with the point of the row. */
const along = (first: number): Sql =>
  ({
    1: sql`(e[1] * gpx + e[2] * gpy + e[3] * gpz)`,
    4: sql`(e[4] * gpx + e[5] * gpy + e[6] * gpz)`,
    7: sql`(e[7] * gpx + e[8] * gpy + e[9] * gpz)`,
    10: sql`(e[10] * gpx + e[11] * gpy + e[12] * gpz)`,
    13: sql`(e[13] * gpx + e[14] * gpy + e[15] * gpz)`,
    16: sql`(e[16] * gpx + e[17] * gpy + e[18] * gpz)`,
  })[first] ?? sql`0`;

/** The angle to an end, exact for points that are close. */
const toStart = sql`2 * asin(least(1., sqrt(pow(e[1] - gpx, 2) + pow(e[2] - gpy, 2) + pow(e[3] - gpz, 2)) / 2))`;
const toEnd = sql`2 * asin(least(1., sqrt(pow(e[4] - gpx, 2) + pow(e[5] - gpy, 2) + pow(e[6] - gpz, 2)) / 2))`;

const angle = (): Sql =>
  sql`if(${along(10)} > 0 AND ${along(13)} > 0, asin(least(1., abs(${along(7)}))), least(${toStart}, ${toEnd}))`;

const metres = (edges: Sql): Sql => sql`arrayMin(arrayMap(e -> ${angle()}, ${edges})) * ${EARTH}`;

/** How often the ring goes round the point is what its direction says. */
const inRing = (ring: Sql): Sql =>
  sql`(round(arraySum(e -> atan2(${along(16)}, e[19] - ${along(1)} * ${along(4)}), ${ring}) / (2 * pi())) = ${ring}[1][20])`;

const inRings = (polygons: Sql): Sql =>
  sql`arrayExists(gp -> ${inRing(sql`gp[1]`)} AND NOT arrayExists(gr -> ${inRing(sql`gr`)}, arraySlice(gp, 2)), ${polygons})`;

const polygonsOf = (args: Parameters<Builder>[0]): Sql =>
  sql`JSONExtract(${arg(args, 2)}, 'Array(Array(Array(Array(Float64))))')`;

/** Clockwise from the line between the first two points to that between the last two. */
const turnAt: Builder = (args) => {
  const [lon1, lat1, lon2, lat2, lon3, lat3] = [0, 1, 2, 3, 4, 5].map((index) => arg(args, index)) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ];
  const heading = (longitude: Sql, latitude: Sql): Sql => {
    const turn = sql`(radians(${longitude}) - radians(${lon2}))`;
    return sql`atan2(sin(${turn}) * cos(radians(${latitude})), cos(radians(${lat2})) * sin(radians(${latitude})) - sin(radians(${lat2})) * cos(radians(${latitude})) * cos(${turn}))`;
  };
  const apart = (longitude: Sql, latitude: Sql): Sql =>
    sql`((${longitude} != ${lon2} OR ${latitude} != ${lat2}) AND NOT (${latitude} = -${lat2} AND abs(${longitude} - ${lon2}) = 180))`;
  const valid = sql`ifNull(${isOnGlobe(lon1, lat1)} AND ${isOnGlobe(lon2, lat2)} AND ${isOnGlobe(lon3, lat3)} AND ${apart(lon1, lat1)} AND ${apart(lon3, lat3)}, false)`;
  return sql`if(${valid}, positiveModulo(${heading(lon3, lat3)} - ${heading(lon1, lat1)}, 2 * pi()), NULL)`;
};

/** Points against shapes. */
export const GEO_SHAPE_BUILDERS: Readonly<Record<string, Builder>> = {
  geo_in_rings: (args) => onPoint(args, inRings(polygonsOf(args))),
  geo_metres_to_edges: (args) =>
    onPoint(args, metres(sql`JSONExtract(${arg(args, 2)}, 'Array(Array(Float64))')`)),
  geo_metres_to_rings: (args) => {
    const edges = sql`arrayFlatten(arrayMap(gp -> arrayMap(gr -> arrayMap(e -> tuple(e), gr), gp), ${polygonsOf(args)}))`;
    const nearest = metres(sql`arrayMap(t -> t.1, ${edges})`);
    return onPoint(args, sql`if(${inRings(polygonsOf(args))}, 0, ${nearest})`);
  },
  geo_angle: turnAt,
};
