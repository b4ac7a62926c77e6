import { allEdges, isInPolygons } from './contains.ts';
import { pointJson, ShapeRefusal } from './measures.ts';
import { type Edge, edgesOf, linesOf, type Polygon, polygonsOf } from './shape.ts';
import { angleBetween, meetingPoint, plus, unit, type Vector } from './sphere.ts';

// Whether shapes have points in common, and which points lines have.

const meet = (one: readonly Edge[], other: readonly Edge[]): boolean =>
  one.some(([a, b]) => other.some(([c, d]) => meetingPoint(a, b, c, d) !== null));

const starts = (edges: readonly Edge[]): Vector[] => edges.map(([from]) => from);

const edgesOfLines = (json: string): Edge[] | null => linesOf(json)?.flatMap(edgesOf) ?? null;

export function linesIntersect(one: string, other: string): boolean | null {
  const [first, second] = [edgesOfLines(one), edgesOfLines(other)];
  return first && second && meet(first, second);
}

export function lineIntersectsPolygon(line: string, polygon: string): boolean | null {
  const [edges, polygons] = [edgesOfLines(line), polygonsOf(polygon)];
  if (!edges || !polygons) return null;
  return meet(edges, allEdges(polygons)) || starts(edges).some((point) => isInPolygons(point, polygons));
}

/** A point in the middle of each edge, beside the vertices. */
const probes = (polygons: readonly Polygon[]): Vector[] =>
  allEdges(polygons).flatMap(([from, to]) => [from, unit(plus(from, to))]);

export function polygonsIntersect(one: string, other: string): boolean | null {
  const [first, second] = [polygonsOf(one), polygonsOf(other)];
  if (!first || !second) return null;
  return (
    meet(allEdges(first), allEdges(second)) ||
    probes(first).some((point) => isInPolygons(point, second)) ||
    probes(second).some((point) => isInPolygons(point, first))
  );
}

const overlaps = ([a, b]: Edge, [c, d]: Edge): boolean => {
  const onIt = [c, d].filter(
    (point) => Math.abs(angleBetween(a, point) + angleBetween(point, b) - angleBetween(a, b)) < 1e-15,
  );
  return onIt.length === 2;
};

/** The points that two lines share; lines that run along each other are refused. */
export function linesIntersection(one: string, other: string): string | null {
  const [first, second] = [edgesOfLines(one), edgesOfLines(other)];
  if (!first || !second) return null;
  const points: Vector[] = [];
  for (const edge of first)
    for (const across of second) {
      if (overlaps(edge, across) || overlaps(across, edge))
        throw new ShapeRefusal('the lines run along each other');
      const found = meetingPoint(edge[0], edge[1], across[0], across[1]);
      if (found && !points.some((point) => angleBetween(point, found) < 1e-14)) points.push(found);
    }
  const [only, ...more] = points;
  if (!only) return JSON.stringify({ type: 'GeometryCollection', geometries: [] });
  if (more.length > 0) throw new ShapeRefusal('the lines meet in several points');
  return pointJson(only);
}
