import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import { call, constant, type Scalar } from '@tyrian/plan';
import {
  lineInPolygon,
  lineIntersectsPolygon,
  linesIntersect,
  linesIntersection,
  linesUnion,
  polygonsIntersect,
} from '../globe/crossings.ts';
import { densifyLine, densifyPolygon } from '../globe/densify.ts';
import {
  lineCentroid,
  lineInterpolate,
  lineLength,
  polygonsArea,
  polygonsCentroid,
  polygonsPerimeter,
  ShapeRefusal,
} from '../globe/measures.ts';
import {
  closestOnLine,
  closestOnPolygon,
  distanceToLine,
  distanceToPolygon,
  inPolygon,
  lineLocate,
} from '../globe/nearest.ts';
import { s2CellNeighbours } from '../globe/s2-cell.ts';
import { lineToCells, polygonToCells } from '../globe/s2-cover.ts';
import { lineTable, polygonTable } from '../globe/shape-tables.ts';
import { geoJsonOfWkt } from '../globe/wkt.ts';
import { argumentsOf } from '../syntax.ts';
import { convertTo } from './convert.ts';
import { computed, type Known, type KnownFunction, known } from './known-call.ts';
import type { SpecialCall } from './special-call.ts';

// Shapes on the globe. They must be known before the query runs; the points that are held against them need not.

type Compute = (values: Known) => string | number | boolean | null;

const text = (values: Known, index: number): string => String(values[index]);
const number = (values: Known, index: number): number => Number(values[index]);
const optional = (values: Known, index: number): number | undefined =>
  values[index] === undefined ? undefined : Number(values[index]);

const shapes = (
  name: string,
  result: KqlType,
  parameters: readonly KqlType[],
  compute: Compute,
  least = parameters.length,
): [string, SpecialCall] => [name, known({ name, parameters, least, result, compute })];

/** A value of one shape. */
const of = (name: string, result: KqlType, compute: (json: string) => string | number | null) =>
  shapes(name, result, ['dynamic'], (values) => compute(text(values, 0)));

const two = (
  name: string,
  result: KqlType,
  compute: (one: string, other: string) => string | boolean | null,
) => shapes(name, result, ['dynamic', 'dynamic'], (values) => compute(text(values, 0), text(values, 1)));

/** A covering within a radius would need the shape with a border. */
const covering = (name: string, compute: (json: string, level?: number) => string | null) =>
  shapes(
    name,
    'dynamic',
    ['dynamic', 'long', 'real'],
    (values) => {
      if ((optional(values, 2) ?? 0) > 0) throw new ShapeRefusal(say('noRadius'));
      return (optional(values, 2) ?? 0) < 0 ? null : compute(text(values, 0), optional(values, 1));
    },
    1,
  );

const dense = (name: string, compute: (json: string, metres?: number) => string | null) =>
  shapes(
    name,
    'dynamic',
    ['dynamic', 'real', 'bool'],
    (values) => {
      if (values[2] === true) throw new ShapeRefusal(say('noAntimeridian'));
      return compute(text(values, 0), optional(values, 1));
    },
    1,
  );

const nearest = (
  name: string,
  result: KqlType,
  compute: (longitude: number, latitude: number, json: string) => string | number | boolean | null,
): KnownFunction => ({
  name,
  parameters: ['real', 'real', 'dynamic'],
  result,
  compute: (values) => compute(number(values, 0), number(values, 1), text(values, 2)),
});

/** A point of each row against a shape that is known: by the engine, with what it needs of the shape. */
function againstShape(
  fn: KnownFunction,
  engine: string,
  table: (json: string) => string | null,
): [string, SpecialCall] {
  const settle: SpecialCall = (node, context, lowering) => {
    const args = argumentsOf(node).map((arg) => lowering.expression(arg, context));
    const [longitude, latitude, shape] = args;
    const isPerRow = args.slice(0, 2).some((arg) => arg.kind !== 'constant');
    if (!longitude || !latitude || shape?.kind !== 'constant' || !isPerRow)
      return computed(fn, args, node, lowering);
    const edges = shape.value === null ? null : table(String(shape.value));
    if (edges === null) return constant(fn.result, null);
    const point: Scalar[] = [convertTo(longitude, 'real'), convertTo(latitude, 'real')];
    return call(fn.result, engine, ...point, constant('dynamic', edges));
  };
  return [fn.name, settle];
}

/** The functions by name. */
export const GEO_CALLS: Readonly<Record<string, SpecialCall>> = Object.fromEntries([
  of('geo_line_length', 'real', lineLength),
  of('geo_line_centroid', 'dynamic', lineCentroid),
  of('geo_polygon_area', 'real', polygonsArea),
  of('geo_polygon_perimeter', 'real', polygonsPerimeter),
  of('geo_polygon_centroid', 'dynamic', polygonsCentroid),
  shapes('geo_line_interpolate_point', 'dynamic', ['dynamic', 'real'], (values) =>
    lineInterpolate(text(values, 0), number(values, 1)),
  ),
  shapes(
    'geo_line_locate_point',
    'real',
    ['dynamic', 'real', 'real', 'bool'],
    (values) => {
      if (values[3] === true) throw new ShapeRefusal(say('noSpheroid'));
      return lineLocate(text(values, 0), number(values, 1), number(values, 2));
    },
    3,
  ),
  ['geo_closest_point_on_line', known(nearest('geo_closest_point_on_line', 'dynamic', closestOnLine))],
  [
    'geo_closest_point_on_polygon',
    known(nearest('geo_closest_point_on_polygon', 'dynamic', closestOnPolygon)),
  ],
  againstShape(
    nearest('geo_distance_point_to_line', 'real', distanceToLine),
    'geo_metres_to_edges',
    lineTable,
  ),
  againstShape(
    nearest('geo_distance_point_to_polygon', 'real', distanceToPolygon),
    'geo_metres_to_rings',
    polygonTable,
  ),
  againstShape(nearest('geo_point_in_polygon', 'bool', inPolygon), 'geo_in_rings', polygonTable),
  two('geo_intersects_2lines', 'bool', linesIntersect),
  two('geo_intersects_2polygons', 'bool', polygonsIntersect),
  two('geo_intersects_line_with_polygon', 'bool', lineIntersectsPolygon),
  two('geo_intersection_2lines', 'dynamic', linesIntersection),
  two('geo_intersection_line_with_polygon', 'dynamic', lineInPolygon),
  of('geo_union_lines_array', 'dynamic', linesUnion),
  dense('geo_line_densify', densifyLine),
  dense('geo_polygon_densify', densifyPolygon),
  covering('geo_line_to_s2cells', lineToCells),
  covering('geo_polygon_to_s2cells', polygonToCells),
  shapes('geo_s2cell_neighbors', 'dynamic', ['string'], (values) => s2CellNeighbours(text(values, 0))),
  shapes('geo_from_wkt', 'dynamic', ['string'], (values) => geoJsonOfWkt(text(values, 0))),
]);
