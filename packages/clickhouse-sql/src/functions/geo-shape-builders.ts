import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { named } from './series-sql.ts';

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

/** `body` with the point of the row as a unit vector; null for a point off the globe. */
function onGlobe(args: Parameters<Builder>[0], body: Sql): Sql {
  const [longitude, latitude] = [arg(args, 0), arg(args, 1)];
  const [phi, theta] = [sql`radians(ifNull(${latitude}, 0))`, sql`radians(ifNull(${longitude}, 0))`];
  const vector = {
    gpx: sql`cos(${phi}) * cos(${theta})`,
    gpy: sql`cos(${phi}) * sin(${theta})`,
    gpz: sql`sin(${phi})`,
  };
  const valid = sql`ifNull(abs(${longitude}) <= 180 AND abs(${latitude}) <= 90, false)`;
  return sql`if(${valid}, ${named(vector, body)}, NULL)`;
}

const polygonsOf = (args: Parameters<Builder>[0]): Sql =>
  sql`JSONExtract(${arg(args, 2)}, 'Array(Array(Array(Array(Float64))))')`;

/** The number of a cell of S2 along the curve of its face. */
function s2Cell(args: Parameters<Builder>[0]): Sql {
  const level = args[2]?.sql ?? sql`11`;
  const face = sql`multiIf(abs(gpx) > abs(gpy) AND abs(gpx) > abs(gpz), if(gpx < 0, 3, 0), abs(gpx) <= abs(gpy) AND abs(gpy) > abs(gpz), if(gpy < 0, 4, 1), if(gpz < 0, 5, 2))`;
  const u = sql`multiIf(gf = 0, gpy / gpx, gf = 1, -gpx / gpy, gf = 2, -gpx / gpz, gf = 3, gpz / gpx, gf = 4, gpz / gpy, -gpy / gpz)`;
  const v = sql`multiIf(gf = 0, gpz / gpx, gf = 1, gpz / gpy, gf = 2, -gpy / gpz, gf = 3, gpy / gpx, gf = 4, -gpx / gpy, -gpx / gpz)`;
  const place = (side: Sql): Sql =>
    sql`toUInt64(greatest(least(floor(if(${side} >= 0, 0.5 * sqrt(1 + 3 * abs(${side})), 1 - 0.5 * sqrt(1 + 3 * abs(${side}))) * 1073741824), 1073741823), 0))`;
  const step = sql`toUInt64(bitAnd(bitShiftRight(gi, 29 - n), 1) * 2 + bitAnd(bitShiftRight(gj, 29 - n), 1))`;
  const position = sql`toUInt64([0, 1, 3, 2, 0, 3, 1, 2, 2, 3, 1, 0, 2, 1, 3, 0][s.2 * 4 + ${step} + 1])`;
  const folded = sql`arrayFold((s, n) -> (s.1 * 4 + ${position}, bitXor(s.2, toUInt64([1, 0, 0, 3][${position} + 1]))), range(30), (toUInt64(gf), toUInt64(bitAnd(gf, 1))))`;
  const bit = sql`bitShiftLeft(toUInt64(1), 2 * (30 - toUInt8(least(greatest(ifNull(${level}, 0), 0), 30))))`;
  const cell = sql`bitOr(bitAnd(gc, bitNot(gb * 2 - 1)), gb)`;
  const token = sql`replaceRegexpOne(lower(leftPad(hex(${cell}), 16, '0')), '0+$', '')`;
  const numbered = named({ gc: sql`${folded}.1 * 2 + 1`, gb: bit }, token);
  const placed = named({ gi: place(sql`gu`), gj: place(sql`gv`) }, numbered);
  const body = named({ gf: face }, named({ gu: u, gv: v }, placed));
  return sql`if(ifNull(${level} BETWEEN 0 AND 30, false), ${onGlobe(args, body)}, '')`;
}

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
  const place = (longitude: Sql, latitude: Sql): Sql =>
    sql`(abs(${longitude}) <= 180 AND abs(${latitude}) <= 90)`;
  const apart = (longitude: Sql, latitude: Sql): Sql =>
    sql`((${longitude} != ${lon2} OR ${latitude} != ${lat2}) AND NOT (${latitude} = -${lat2} AND abs(${longitude} - ${lon2}) = 180))`;
  const valid = sql`ifNull(${place(lon1, lat1)} AND ${place(lon2, lat2)} AND ${place(lon3, lat3)} AND ${apart(lon1, lat1)} AND ${apart(lon3, lat3)}, false)`;
  return sql`if(${valid}, positiveModulo(${heading(lon3, lat3)} - ${heading(lon1, lat1)}, 2 * pi()), NULL)`;
};

/** Points against shapes, and the cells of S2. */
export const GEO_SHAPE_BUILDERS: Readonly<Record<string, Builder>> = {
  geo_in_rings: (args) => onGlobe(args, inRings(polygonsOf(args))),
  geo_metres_to_edges: (args) =>
    onGlobe(args, metres(sql`JSONExtract(${arg(args, 2)}, 'Array(Array(Float64))')`)),
  geo_metres_to_rings: (args) => {
    const edges = sql`arrayFlatten(arrayMap(gp -> arrayMap(gr -> arrayMap(e -> tuple(e), gr), gp), ${polygonsOf(args)}))`;
    const nearest = metres(sql`arrayMap(t -> t.1, ${edges})`);
    return onGlobe(args, sql`if(${inRings(polygonsOf(args))}, 0, ${nearest})`);
  },
  geo_point_to_s2cell: s2Cell,
  geo_angle: turnAt,
};
