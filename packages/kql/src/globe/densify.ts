import { pointsOfLines, pointsOfPolygons } from './shape.ts';
import {
  angleBetween,
  dot,
  EARTH_RADIUS,
  type GeoPoint,
  pointAlong,
  type Vector,
  vectorOf,
} from './sphere.ts';

// Straight lines of a map as geodesics: an edge is halved until the points of the map and those of the geodesic at the
// same fraction lie within the tolerance, by the estimate that S2's tessellator makes of their greatest distance.

const SCALE = 0.8382999256988851;
const FRACTION = 0.31215691082248315;
const MAX_POINTS = 100_000;

const between = (from: GeoPoint, to: GeoPoint, fraction: number): GeoPoint => [
  from[0] + (to[0] - from[0]) * fraction,
  from[1] + (to[1] - from[1]) * fraction,
];

function error(from: GeoPoint, to: GeoPoint): number {
  const [a, b] = [vectorOf(from), vectorOf(to)];
  if (dot(a, b) < -1e-14) return Number.POSITIVE_INFINITY;
  const whole = angleBetween(a, b);
  const apart = (fraction: number): number => {
    const onSphere: Vector = pointAlong(a, b, whole * fraction);
    return angleBetween(onSphere, vectorOf(between(from, to, fraction)));
  };
  return whole === 0 ? 0 : Math.max(apart(FRACTION), apart(1 - FRACTION));
}

function halve(from: GeoPoint, to: GeoPoint, tolerance: number, points: GeoPoint[]): void {
  if (error(from, to) <= tolerance || points.length > MAX_POINTS) {
    points.push(to);
    return;
  }
  const middle = between(from, to, 0.5);
  halve(from, middle, tolerance, points);
  halve(middle, to, tolerance, points);
}

/** The shorter way round the globe, with longitudes within [-180, 180]. */
function densified(line: readonly GeoPoint[], tolerance: number): GeoPoint[] {
  const [first, ...rest] = line;
  if (!first) return [];
  const points: GeoPoint[] = [first];
  let last = first;
  for (const point of rest) {
    const turns = Math.round((point[0] - last[0]) / 360);
    const near: GeoPoint = [point[0] - turns * 360, point[1]];
    halve(last, near, tolerance, points);
    last = near;
  }
  return points.map(([longitude, latitude]): GeoPoint => {
    const turns = Math.abs(longitude) > 180 ? Math.round(longitude / 360) : 0;
    return [longitude - turns * 360, latitude];
  });
}

const angleOf = (metres: number): number | null =>
  metres >= 0.1 && metres <= 10_000 ? (SCALE * metres) / EARTH_RADIUS : null;

const typeOf = (json: string): string => (JSON.parse(json) as { type: string }).type;

export function densifyLine(json: string, metres = 10): string | null {
  const [lines, angle] = [pointsOfLines(json), angleOf(metres)];
  if (!lines || angle === null) return null;
  const done = lines.map((line) => densified(line, angle));
  const type = typeOf(json);
  return JSON.stringify({ type, coordinates: type === 'LineString' ? done[0] : done });
}

export function densifyPolygon(json: string, metres = 10): string | null {
  const [polygons, angle] = [pointsOfPolygons(json), angleOf(metres)];
  if (!polygons || angle === null) return null;
  const done = polygons.map((rings) => rings.map((ring) => densified(ring, angle)));
  const type = typeOf(json);
  return JSON.stringify({ type, coordinates: type === 'Polygon' ? done[0] : done });
}
