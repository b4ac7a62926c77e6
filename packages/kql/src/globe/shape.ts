import {
  angleBetween,
  type GeoPoint,
  meetingPoint,
  triangleArea,
  turn,
  type Vector,
  vectorOf,
} from './sphere.ts';

// Lines and polygons out of GeoJSON. What breaks a rule that Kusto documents for them is no shape.

export type Edge = readonly [Vector, Vector];

/** The vertices of a ring without the last, which repeats the first. */
export type Ring = readonly Vector[];

/** The first ring is the shell, the others are holes. */
export type Polygon = readonly Ring[];

const TINY = 1e-15;

function jsonOf(json: string): { readonly type?: unknown; readonly coordinates?: unknown } | null {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

function pointFrom(value: unknown): GeoPoint | null {
  if (!Array.isArray(value)) return null;
  const [longitude, latitude] = value as unknown[];
  return typeof longitude === 'number' && typeof latitude === 'number' && isOnGlobe(longitude, latitude)
    ? [longitude, latitude]
    : null;
}

/** Whether a longitude and a latitude lie on the globe. */
export const isOnGlobe = (longitude: number, latitude: number): boolean =>
  Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;

/** Every part, or null when one is none. */
function each<T>(value: unknown, part: (one: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const parts = (value as unknown[]).map(part);
  return parts.every((one) => one !== null) ? (parts as T[]) : null;
}

/** The places of a line; null when it is none. */
function lineFrom(value: unknown): GeoPoint[] | null {
  const points = each(value, pointFrom);
  if (!points || points.length < 2) return null;
  return edgesOf(points.map(vectorOf)).every(isShort) ? points : null;
}

const isShort = ([from, to]: Edge): boolean => angleBetween(from, to) < Math.PI - TINY;

/** The lines of a LineString or MultiLineString as places; null when there are none. */
export function pointsOfLines(json: string): GeoPoint[][] | null {
  const shape = jsonOf(json);
  if (shape?.type === 'LineString') {
    const line = lineFrom(shape.coordinates);
    return line && [line];
  }
  const lines = shape?.type === 'MultiLineString' ? each(shape.coordinates, lineFrom) : null;
  return lines && lines.length > 0 ? lines : null;
}

/** The lines of a LineString or MultiLineString; null when there are none. */
export const linesOf = (json: string): Vector[][] | null =>
  pointsOfLines(json)?.map((line) => line.map(vectorOf)) ?? null;

/** The rings of a Polygon or MultiPolygon as closed lists of places; null when there are none. */
export function pointsOfPolygons(json: string): GeoPoint[][][] | null {
  const shape = jsonOf(json);
  const ring = (value: unknown): GeoPoint[] | null => each(value, pointFrom);
  const polygon = (value: unknown): GeoPoint[][] | null => {
    const rings = each(value, ring);
    return rings && isPolygon(rings) ? rings : null;
  };
  if (shape?.type === 'Polygon') {
    const one = polygon(shape.coordinates);
    return one && [one];
  }
  const all = shape?.type === 'MultiPolygon' ? each(shape.coordinates, polygon) : null;
  return all && all.length > 0 ? all : null;
}

/** The polygons of a Polygon or MultiPolygon; null when there are none. */
export const polygonsOf = (json: string): Polygon[] | null =>
  pointsOfPolygons(json)?.map((rings) => rings.map(ringOf)) ?? null;

const ringOf = (points: readonly GeoPoint[]): Ring => points.slice(0, -1).map(vectorOf);

function isPolygon(rings: readonly (readonly GeoPoint[])[]): boolean {
  if (rings.length === 0) return false;
  const closed = rings.every((ring) => {
    const [first, last] = [ring[0], ring.at(-1)];
    const names = new Set(ring.slice(0, -1).map(String));
    return ring.length >= 4 && String(first) === String(last) && names.size === ring.length - 1;
  });
  if (!closed) return false;
  const edges = rings.flatMap((ring) => ringEdges(ringOf(ring)));
  return edges.every(isShort) && !crossEachOther(edges);
}

/** Whether two edges cross between their ends, or are the same. */
function crossEachOther(edges: readonly Edge[]): boolean {
  return edges.some((one, index) => edges.slice(index + 1).some((other) => cross(one, other)));
}

function cross([a, b]: Edge, [c, d]: Edge): boolean {
  const shared = [a, b].filter((one) => isSame(one, c) || isSame(one, d)).length;
  if (shared > 0) return shared === 2;
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  return abc * abd < 0 && cda * cdb < 0 && meetingPoint(a, b, c, d) !== null;
}

export const isSame = (a: Vector, b: Vector): boolean => angleBetween(a, b) < TINY;

/** The edges of an open line. */
export const edgesOf = (points: readonly Vector[]): Edge[] =>
  points.slice(1).map((to, index): Edge => [points[index] ?? to, to]);

/** The edges of a ring, the one back to its start among them. */
export const ringEdges = (ring: Ring): Edge[] => {
  const [first] = ring;
  return first ? edgesOf([...ring, first]) : [];
};

export const polygonEdges = (polygon: Polygon): Edge[] => polygon.flatMap(ringEdges);

/** The signed area inside a ring: positive against the clock; never more than half of the sphere. */
export function ringArea(ring: Ring): number {
  const [first] = ring;
  if (!first) return 0;
  const sum = edgesOf(ring.slice(1)).reduce((all, [b, c]) => all + triangleArea(first, b, c), 0);
  if (sum > 2 * Math.PI) return sum - 4 * Math.PI;
  return sum < -2 * Math.PI ? sum + 4 * Math.PI : sum;
}
