import { inEnglish, type Sentence, say } from '@tyrian/diagnostics';
import { isInPolygon } from './contains.ts';
import { type Edge, edgesOf, linesOf, type Polygon, polygonEdges, polygonsOf, ringArea } from './shape.ts';
import {
  angleBetween,
  cross,
  dot,
  EARTH_RADIUS,
  length,
  meetingPoint,
  minus,
  plus,
  pointAlong,
  pointOf,
  times,
  unit,
  type Vector,
} from './sphere.ts';

// Lengths, areas and centroids. Several polygons count as their union; those that overlap are refused.

/** What cannot be said exactly; the compiler names it to the user. */
export class ShapeRefusal extends Error {
  readonly why: Sentence;

  constructor(why: Sentence) {
    super(inEnglish(why));
    this.why = why;
  }
}

export const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

const edgeLength = ([from, to]: Edge): number => angleBetween(from, to);

export const pointJson = (point: Vector): string =>
  JSON.stringify({ type: 'Point', coordinates: pointOf(point) });

const overlap = (one: Polygon, other: Polygon): boolean => {
  const [first, second] = [polygonEdges(one), polygonEdges(other)];
  if (first.some(([a, b]) => second.some(([c, d]) => meetingPoint(a, b, c, d) !== null))) return true;
  const inside = (edges: readonly Edge[], polygon: Polygon): boolean =>
    edges[0] !== undefined && isInPolygon(edges[0][0], polygon);
  return inside(first, other) || inside(second, one);
};

/** Polygons whose union is no more than all of them. */
function apart(json: string): Polygon[] | null {
  const polygons = polygonsOf(json);
  const isTangled = polygons?.some((one, index) =>
    polygons.slice(index + 1).some((other) => overlap(one, other)),
  );
  if (isTangled) throw new ShapeRefusal(say('polygonsTouch'));
  return polygons;
}

const polygonArea = (polygon: Polygon): number => {
  const [shell, ...holes] = polygon.map((ring) => Math.abs(ringArea(ring)));
  return (shell ?? 0) - sum(holes);
};

/** In metres. */
export function lineLength(json: string): number | null {
  const lines = linesOf(json);
  return lines && sum(lines.flatMap(edgesOf).map(edgeLength)) * EARTH_RADIUS;
}

/** In square metres. */
export function polygonsArea(json: string): number | null {
  const polygons = apart(json);
  return polygons && sum(polygons.map(polygonArea)) * EARTH_RADIUS ** 2;
}

/** In metres, round the holes too. */
export function polygonsPerimeter(json: string): number | null {
  const polygons = apart(json);
  return polygons && sum(polygons.flatMap(polygonEdges).map(edgeLength)) * EARTH_RADIUS;
}

/** The centroid of an edge times its length. */
function edgeCentroid([from, to]: Edge): Vector {
  const middle = plus(from, to);
  return times(middle, length(minus(from, to)) / length(middle));
}

const total = (vectors: readonly Vector[]): Vector => vectors.reduce(plus, [0, 0, 0]);

export function lineCentroid(json: string): string | null {
  const lines = linesOf(json);
  return lines && pointJson(unit(total(lines.flatMap(edgesOf).map(edgeCentroid))));
}

const sinc = (angle: number): number => (angle === 0 ? 1 : angle / Math.sin(angle));

/** The centroid of a triangle times its signed area. */
function triangleCentroid(a: Vector, b: Vector, c: Vector): Vector {
  const [ra, rb, rc] = [sinc(angleBetween(b, c)), sinc(angleBetween(c, a)), sinc(angleBetween(a, b))];
  const row = (axis: 0 | 1 | 2): Vector => [a[axis], b[axis] - a[axis], c[axis] - a[axis]];
  const [x, y, z] = [row(0), row(1), row(2)];
  const r: Vector = [ra, rb - ra, rc - ra];
  return times([dot(cross(y, z), r), dot(cross(z, x), r), dot(cross(x, y), r)], 0.5);
}

function ringCentroid(ring: readonly Vector[]): Vector {
  const [first] = ring;
  if (!first) return [0, 0, 0];
  const sumOf = total(edgesOf(ring.slice(1)).map(([b, c]) => triangleCentroid(first, b, c)));
  return ringArea(ring) < 0 ? times(sumOf, -1) : sumOf;
}

export function polygonsCentroid(json: string): string | null {
  const polygons = apart(json);
  const parts = polygons?.flatMap((polygon) =>
    polygon.map((ring, index) => times(ringCentroid(ring), index === 0 ? 1 : -1)),
  );
  return parts ? pointJson(unit(total(parts))) : null;
}

/** The point of a single line at a fraction of its length. */
export function lineInterpolate(json: string, fraction: number): string | null {
  const lines = linesOf(json);
  const [line] = lines ?? [];
  if (!line || lines?.length !== 1 || !(fraction >= 0 && fraction <= 1)) return null;
  const edges = edgesOf(line);
  let left = fraction * sum(edges.map(edgeLength));
  for (const [from, to] of edges) {
    const size = angleBetween(from, to);
    if (left < size) return pointJson(pointAlong(from, to, left));
    left -= size;
  }
  return pointJson(line.at(-1) ?? [0, 0, 0]);
}
