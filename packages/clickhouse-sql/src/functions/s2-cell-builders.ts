import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { onPoint } from './globe-sql.ts';
import { named } from './series-sql.ts';

// Cells of S2 and their tokens: the number of a cell leads along the Hilbert curve of its face to the column and the row
// of the cell at its level, and back. What is no token gives null.

/** Column and row of the cell and the direction of the curve, after its level's steps. */
const STEPS = (() => {
  const position = sql`bitAnd(bitShiftRight(gc, 59 - 2 * n), 3)`;
  const both = sql`toUInt64([0, 1, 3, 2, 0, 2, 3, 1, 3, 2, 0, 1, 3, 1, 0, 2][s.3 * 4 + ${position} + 1])`;
  const next = sql`(s.1 * 2 + bitShiftRight(${both}, 1), s.2 * 2 + bitAnd(${both}, 1), bitXor(s.3, toUInt64([1, 0, 0, 3][${position} + 1])))`;
  return sql`arrayFold((s, n) -> ${next}, range(toUInt8(gl)), (toUInt64(0), toUInt64(0), toUInt64(bitAnd(gf, 1))))`;
})();

/** The coordinate on the face of the cube of a point between the columns or rows of a level. */
const onFace = (place: Sql): Sql =>
  sql`if(${place} >= 0.5, (4 * ${place} * ${place} - 1) / 3, (1 - 4 * (1 - ${place}) * (1 - ${place})) / 3)`;

/** Longitude and latitude of a point in a cell, counted in cells from its lower corner. */
function placeIn(x: Sql, y: Sql): Sql {
  const side = (start: Sql, more: Sql): Sql => sql`((toFloat64(${start}) + ${more}) / exp2(gl))`;
  const vector = {
    gvx: sql`multiIf(gf = 0, 1., gf = 1 OR gf = 2, -gu, gf = 3, -1., gv)`,
    gvy: sql`multiIf(gf = 0, gu, gf = 1, 1., gf = 2 OR gf = 3, -gv, gf = 4, -1., gu)`,
    gvz: sql`multiIf(gf = 0 OR gf = 1, gv, gf = 2, 1., gf = 3 OR gf = 4, -gu, -1.)`,
  };
  const place = sql`(degrees(atan2(gvy, gvx)), degrees(atan2(gvz, sqrt(gvx * gvx + gvy * gvy))))`;
  const sides = named(
    { gs: side(sql`gi`, x), gt: side(sql`gj`, y) },
    sql`(${onFace(sql`gs`)}, ${onFace(sql`gt`)})`,
  );
  return named({ gw: sides }, named({ gu: sql`gw.1`, gv: sql`gw.2` }, named(vector, place)));
}

/** `body` with the column and row of the cell as `gi` and `gj`, its face as `gf` and its level as `gl`. */
function onCell(args: Parameters<Builder>[0], body: Sql): Sql {
  const token = arg(args, 0);
  const number = sql`reinterpretAsUInt64(reverse(unhex(rightPad(${token}, 16, '0'))))`;
  const lowest = sql`bitAnd(gc, bitNot(gc) + 1)`;
  const level = sql`toInt64(30 - intDiv(bitCount(${lowest} - 1), 2))`;
  const valid = sql`gf < 6 AND bitAnd(${lowest}, toUInt64(1537228672809129301)) != 0`;
  const found = named({ gx: STEPS }, named({ gi: sql`gx.1`, gj: sql`gx.2` }, body));
  const checked = named({ gf: sql`bitShiftRight(gc, 61)`, gl: level }, sql`if(${valid}, ${found}, NULL)`);
  return sql`if(match(${token}, '^[0-9a-fA-F]{1,16}$'), ${named({ gc: number }, checked)}, NULL)`;
}

const coordinates = (place: Sql): Sql =>
  named({ gq: place }, sql`concat('[', toString(gq.1), ',', toString(gq.2), ']')`);

/** The token of the cell of a point. */
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
  return sql`if(ifNull(${level} BETWEEN 0 AND 30, false), ${onPoint(args, body)}, '')`;
}

/** The cell of a point, its middle and its outline. */
export const S2_CELL_BUILDERS: Readonly<Record<string, Builder>> = {
  geo_point_to_s2cell: s2Cell,
  geo_s2cell_to_central_point: (args) =>
    onCell(
      args,
      sql`concat('{"type":"Point","coordinates":', ${coordinates(placeIn(sql`0.5`, sql`0.5`))}, '}')`,
    ),
  geo_s2cell_to_polygon: (args) => {
    const corner = (x: Sql, y: Sql): Sql => coordinates(placeIn(x, y));
    const [none, one] = [sql`0.`, sql`1.`];
    const ring = sql`concat(${corner(none, none)}, ',', ${corner(one, none)}, ',', ${corner(one, one)}, ',', ${corner(none, one)}, ',', ${corner(none, none)})`;
    return onCell(args, sql`concat('{"type":"Polygon","coordinates":[[', ${ring}, ']]}')`);
  },
};
