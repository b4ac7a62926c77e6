import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { isOnGlobe } from './globe-sql.ts';
import { named } from './series-sql.ts';

// Points, circles and the cells of geohash and H3. What lies off the globe, or is no cell, gives null or ''.

const number = (value: Sql): Sql => sql`ifNull(${value}, 0)`;

const pointJson = (longitude: Sql, latitude: Sql): Sql =>
  sql`concat('{"type":"Point","coordinates":[', toString(${longitude}), ',', toString(${latitude}), ']}')`;

/** Great-circle distance in metres on the sphere that `geo_distance_2points` measures on. */
function metres(lon1: Sql, lat1: Sql, lon2: Sql, lat2: Sql): Sql {
  const across = sql`cos(radians(${lat1})) * cos(radians(${lat2})) * pow(sin((radians(${lon2}) - radians(${lon1})) / 2), 2)`;
  return sql`(2 * 6371010 * asin(least(1., sqrt(pow(sin((radians(${lat2}) - radians(${lat1})) / 2), 2) + ${across}))))`;
}

const inCircle: Builder = (args) => {
  const [lon1, lat1, lon2, lat2, radius] = [0, 1, 2, 3, 4].map((index) => arg(args, index)) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ];
  const valid = sql`(${isOnGlobe(lon1, lat1)} AND ${isOnGlobe(lon2, lat2)} AND ifNull(${radius} >= 0, false))`;
  return sql`if(${valid}, ${metres(lon1, lat1, lon2, lat2)} <= ${radius}, NULL)`;
};

/** Clockwise from north, from 0 up to two pi; none between a point and itself. */
const azimuth: Builder = (args) => {
  const [lon1, lat1, lon2, lat2] = [0, 1, 2, 3].map((index) => arg(args, index)) as [Sql, Sql, Sql, Sql];
  const valid = sql`(${isOnGlobe(lon1, lat1)} AND ${isOnGlobe(lon2, lat2)} AND ifNull(${lon1} != ${lon2} OR ${lat1} != ${lat2}, false))`;
  const turn = sql`(radians(${lon2}) - radians(${lon1}))`;
  const east = sql`sin(${turn}) * cos(radians(${lat2}))`;
  const north = sql`cos(radians(${lat1})) * sin(radians(${lat2})) - sin(radians(${lat1})) * cos(radians(${lat2})) * cos(${turn})`;
  return sql`if(${valid}, positiveModulo(atan2(${east}, ${north}), 2 * pi()), NULL)`;
};

/** The box of a geohash as `gh`: (longitude, latitude) of its least and of its greatest corner. */
function onGeohash(args: Parameters<Builder>[0], body: Sql): Sql {
  const text = sql`lower(${arg(args, 0)})`;
  const places = sql`arrayMap(c -> position('0123456789bcdefghjkmnpqrstuvwxyz', c) - 1, ngrams(${text}, 1))`;
  const bits = sql`arrayFlatten(arrayMap(p -> arrayMap(b -> bitAnd(bitShiftRight(toUInt8(p), b), 1), [4, 3, 2, 1, 0]), ${places}))`;
  const halved = (axis: Sql, least: Sql, width: Sql): Sql =>
    sql`arrayFold((acc, bit) -> tuple(acc.1 + bit * acc.2 / 2, acc.2 / 2), arrayFilter((x, i) -> modulo(i, 2) = ${axis}, gb, arrayEnumerate(gb)), tuple(toFloat64(${least}), toFloat64(${width})))`;
  const box = named(
    { gb: bits },
    named({ gx: halved(sql`1`, sql`-180`, sql`360`), gy: halved(sql`0`, sql`-90`, sql`180`) }, body),
  );
  return sql`if(match(${text}, '^[0-9b-hjkmnp-z]{1,18}$'), ${box}, NULL)`;
}

const corner = (x: Sql, y: Sql): Sql => sql`concat('[', toString(${x}), ',', toString(${y}), ']')`;

const polygonOfGeohash: Builder = (args) => {
  const [west, east, south, north] = [sql`gx.1`, sql`(gx.1 + gx.2)`, sql`gy.1`, sql`(gy.1 + gy.2)`];
  const ring = sql`concat(${corner(west, south)}, ',', ${corner(east, south)}, ',', ${corner(east, north)}, ',', ${corner(west, north)}, ',', ${corner(west, south)})`;
  return onGeohash(args, sql`concat('{"type":"Polygon","coordinates":[[', ${ring}, ']]}')`);
};

/** The number of an H3 cell from its text; 0 for what is none. */
const h3Number = (text: Sql): Sql =>
  sql`stringToH3(if(match(${text}, '^[0-9a-fA-F]{15}$'), ${text}, '8000000000000000'))`;

/** The number of a cell; of some cell for a text that is none, because the engine works out both sides of an if. */
const h3 = (text: Sql): Sql =>
  sql`if(h3IsValid(${h3Number(text)}), ${h3Number(text)}, stringToH3('85283473fffffff'))`;

const onH3 = (args: Parameters<Builder>[0], body: Sql): Sql => {
  const text = arg(args, 0);
  return sql`if(match(${text}, '^[0-9a-fA-F]{15}$') AND h3IsValid(${h3Number(text)}), ${body}, NULL)`;
};

const cellList = (cells: Sql): Sql =>
  sql`concat('[', arrayStringConcat(arrayMap(c -> concat('"', h3ToString(c), '"'), ${cells}), ','), ']')`;

/** Round a geohash: its columns and rows are counted in whole numbers; round the globe, but not past a pole. */
const neighboursOfGeohash: Builder = (args) => {
  const counted = (axis: Sql): Sql =>
    sql`arrayFold((acc, bit) -> acc * 2 + bit, arrayFilter((x, i) -> modulo(i, 2) = ${axis}, gb, arrayEnumerate(gb)), toInt64(0))`;
  const bits = sql`toInt64(length(gb))`;
  const bit = sql`if(modulo(i, 2) = 0, bitAnd(bitShiftRight(at.1, greatest(intDiv(${bits} + 1, 2) - 1 - intDiv(i, 2), 0)), 1), bitAnd(bitShiftRight(at.2, greatest(intDiv(${bits}, 2) - 1 - intDiv(i, 2), 0)), 1))`;
  const letter = sql`substring('0123456789bcdefghjkmnpqrstuvwxyz', toUInt64(1 + arraySum(arrayMap(i -> toInt64(${bit}) * bitShiftLeft(toInt64(1), 4 - modulo(i, 5)), range(k * 5, k * 5 + 5)))), 1)`;
  const text = sql`arrayStringConcat(arrayMap(k -> ${letter}, range(toInt64(0), intDiv(${bits}, 5))), '')`;
  const columns = sql`bitShiftLeft(toInt64(1), intDiv(${bits} + 1, 2))`;
  const rows = sql`bitShiftLeft(toInt64(1), intDiv(${bits}, 2))`;
  const moved = sql`arrayMap(d -> tuple(positiveModulo(nx + d.1, ${columns}), ny + d.2), [(-1, -1), (-1, 1), (1, -1), (0, 1), (-1, 0), (1, 1), (1, 0), (0, -1)])`;
  const places = sql`arrayFilter(at -> at.2 >= 0 AND at.2 < ${rows}, ${moved})`;
  const list = sql`concat('[', arrayStringConcat(arrayMap(at -> concat('"', ${text}, '"'), ${places}), ','), ']')`;
  return onGeohash(args, named({ nx: counted(sql`1`), ny: counted(sql`0`) }, list));
};

/** Cells of geohash and H3, and points in circles. */
export const GEO_BUILDERS: Readonly<Record<string, Builder>> = {
  geo_point_in_circle: inCircle,
  geo_azimuth: azimuth,
  geo_point_to_geohash: (args) => {
    const [longitude, latitude] = [arg(args, 0), arg(args, 1)];
    const accuracy = args[2]?.sql ?? sql`5`;
    const valid = sql`(${isOnGlobe(longitude, latitude)} AND ifNull(${accuracy} BETWEEN 1 AND 12, false))`;
    return sql`if(${valid}, geohashEncode(${number(longitude)}, ${number(latitude)}, toUInt8(least(greatest(${number(accuracy)}, 1), 12))), '')`;
  },
  geo_geohash_to_central_point: (args) =>
    onGeohash(args, pointJson(sql`(gx.1 + gx.2 / 2)`, sql`(gy.1 + gy.2 / 2)`)),
  geo_geohash_to_polygon: polygonOfGeohash,
  geo_point_to_h3cell: (args) => {
    const [longitude, latitude] = [arg(args, 0), arg(args, 1)];
    const resolution = args[2]?.sql ?? sql`6`;
    const valid = sql`(${isOnGlobe(longitude, latitude)} AND ifNull(${resolution} BETWEEN 0 AND 15, false))`;
    return sql`if(${valid}, h3ToString(geoToH3(${number(latitude)}, ${number(longitude)}, toUInt8(least(greatest(${number(resolution)}, 0), 15)))), '')`;
  },
  geo_h3cell_to_central_point: (args) =>
    onH3(args, named({ hc: sql`h3ToGeo(${h3(arg(args, 0))})` }, pointJson(sql`hc.2`, sql`hc.1`))),
  geo_h3cell_level: (args) => onH3(args, sql`h3GetResolution(${h3(arg(args, 0))})`),
  geo_h3cell_parent: (args) => {
    const own = sql`toInt64(h3GetResolution(${h3(arg(args, 0))}))`;
    const wanted = args[1]?.sql ?? sql`(${own} - 1)`;
    const valid = sql`ifNull(${wanted} BETWEEN 0 AND ${own} - 1, false)`;
    return onH3(
      args,
      sql`if(${valid}, h3ToString(h3ToParent(${h3(arg(args, 0))}, toUInt8(greatest(least(${number(wanted)}, ${own}), 0)))), '')`,
    );
  },
  geo_h3cell_children: (args) => {
    const own = sql`toInt64(h3GetResolution(${h3(arg(args, 0))}))`;
    const wanted = args[1]?.sql ?? sql`(${own} + 1)`;
    const valid = sql`ifNull(${wanted} BETWEEN ${own} + 1 AND least(${own} + 5, 15), false)`;
    const cells = sql`h3ToChildren(${h3(arg(args, 0))}, toUInt8(least(greatest(${number(wanted)}, ${own}), least(${own} + 5, 15))))`;
    return onH3(args, sql`if(${valid}, ${cellList(cells)}, NULL)`);
  },
  geo_h3cell_neighbors: (args) => {
    const own = h3(arg(args, 0));
    return onH3(args, cellList(sql`arrayFilter(c -> c != ${own}, h3kRing(${own}, toUInt8(1)))`));
  },
  geo_h3cell_rings: (args) => {
    const own = h3(arg(args, 0));
    const wanted = args[1]?.sql ?? sql`1`;
    const far = sql`toUInt16(least(greatest(${number(wanted)}, 0), 142))`;
    const within = (distance: Sql): Sql => sql`h3kRing(${own}, toUInt16(${distance}))`;
    const ring = sql`if(k = 0, [${own}], arrayFilter(c -> NOT has(${within(sql`greatest(k, 1) - 1`)}, c), ${within(sql`k`)}))`;
    const rings = sql`concat('[', arrayStringConcat(arrayMap(k -> ${cellList(ring)}, range(toUInt16(0), ${far} + 1)), ','), ']')`;
    return onH3(args, sql`if(ifNull(${wanted} BETWEEN 0 AND 142, false), ${rings}, NULL)`);
  },
  geo_h3cell_to_polygon: (args) => {
    const points = sql`h3ToGeoBoundary(${h3(arg(args, 0))})`;
    const closed = sql`arrayPushBack(${points}, ${points}[1])`;
    const ring = sql`arrayStringConcat(arrayMap(p -> ${corner(sql`p.2`, sql`p.1`)}, ${closed}), ',')`;
    return onH3(args, sql`concat('{"type":"Polygon","coordinates":[[', ${ring}, ']]}')`);
  },
  geo_geohash_neighbors: neighboursOfGeohash,
};
