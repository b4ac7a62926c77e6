import { allEdges, isInPolygons } from './contains.ts';
import { pointJson, sum } from './measures.ts';
import { type Edge, edgesOf, isOnGlobe, linesOf, polygonsOf } from './shape.ts';
import { angleBetween, EARTH_RADIUS, nearestOnEdge, type Vector, vectorOf } from './sphere.ts';

// What lies nearest to a point.

interface Nearest {
  readonly point: Vector;
  readonly angle: number;
  readonly edge: number;
}

function nearestOf(point: Vector, edges: readonly Edge[]): Nearest | null {
  let best: Nearest | null = null;
  edges.forEach(([from, to], edge) => {
    const found = nearestOnEdge(point, from, to);
    const angle = angleBetween(point, found);
    if (!best || angle < best.angle) best = { point: found, angle, edge };
  });
  return best;
}

const onLine = (longitude: number, latitude: number, json: string): Nearest | null => {
  const lines = isOnGlobe(longitude, latitude) ? linesOf(json) : null;
  return lines && nearestOf(vectorOf([longitude, latitude]), lines.flatMap(edgesOf));
};

export function distanceToLine(longitude: number, latitude: number, json: string): number | null {
  const found = onLine(longitude, latitude, json);
  return found && found.angle * EARTH_RADIUS;
}

export function closestOnLine(longitude: number, latitude: number, json: string): string | null {
  const found = onLine(longitude, latitude, json);
  return found && pointJson(found.point);
}

/** The point itself when it lies inside. */
function onPolygon(longitude: number, latitude: number, json: string): Nearest | null {
  const polygons = isOnGlobe(longitude, latitude) ? polygonsOf(json) : null;
  if (!polygons) return null;
  const point = vectorOf([longitude, latitude]);
  return isInPolygons(point, polygons) ? { point, angle: 0, edge: 0 } : nearestOf(point, allEdges(polygons));
}

export function distanceToPolygon(longitude: number, latitude: number, json: string): number | null {
  const found = onPolygon(longitude, latitude, json);
  return found && found.angle * EARTH_RADIUS;
}

export function closestOnPolygon(longitude: number, latitude: number, json: string): string | null {
  const found = onPolygon(longitude, latitude, json);
  return found && pointJson(found.point);
}

/** The fraction of a single line at which it is nearest to a point. */
export function lineLocate(json: string, longitude: number, latitude: number): number | null {
  const [line, ...more] = linesOf(json) ?? [];
  const found = onLine(longitude, latitude, json);
  if (!line || more.length > 0 || !found) return null;
  const edges = edgesOf(line);
  const sizes = edges.map(([from, to]) => angleBetween(from, to));
  const before = sum(sizes.slice(0, found.edge));
  const all = sum(sizes);
  const [from] = edges[found.edge] ?? [];
  return from && all > 0 ? (before + angleBetween(from, found.point)) / all : null;
}

export function inPolygon(longitude: number, latitude: number, json: string): boolean | null {
  const polygons = isOnGlobe(longitude, latitude) ? polygonsOf(json) : null;
  return polygons && isInPolygons(vectorOf([longitude, latitude]), polygons);
}
