import { say } from '@tyrian/diagnostics';
import { allEdges, isInPolygons } from './contains.ts';
import { pointJson, ShapeRefusal } from './measures.ts';
import { type Edge, edgesOf, isSame, linesOf, type Polygon, pointsOfLines, polygonsOf } from './shape.ts';
import { angleBetween, meetingPoint, plus, pointOf, unit, type Vector } from './sphere.ts';

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

const NOTHING = JSON.stringify({ type: 'GeometryCollection', geometries: [] });

/** Lines as GeoJSON: a LineString when there is one, a MultiLineString when there are several. */
function linesJson(lines: readonly (readonly Vector[])[]): string {
  const all = lines.map((line) => line.map(pointOf));
  const [only, ...more] = all;
  if (!only) return NOTHING;
  return more.length === 0
    ? JSON.stringify({ type: 'LineString', coordinates: only })
    : JSON.stringify({ type: 'MultiLineString', coordinates: all });
}

/** The points that two lines share; lines that run along each other are refused, unless they are the same. */
export function linesIntersection(one: string, other: string): string | null {
  const [first, second] = [edgesOfLines(one), edgesOfLines(other)];
  if (!first || !second) return null;
  if (JSON.stringify(pointsOfLines(one)) === JSON.stringify(pointsOfLines(other))) return one;
  const points: Vector[] = [];
  for (const edge of first)
    for (const across of second) {
      if (overlaps(edge, across) || overlaps(across, edge)) throw new ShapeRefusal(say('linesOverlap'));
      const found = meetingPoint(edge[0], edge[1], across[0], across[1]);
      if (found && !points.some((point) => angleBetween(point, found) < 1e-14)) points.push(found);
    }
  const [only, ...more] = points;
  if (!only) return NOTHING;
  if (more.length > 0) throw new ShapeRefusal(say('linesMeetOften'));
  return pointJson(only);
}

/** An edge cut where it meets others. */
function pieces([from, to]: Edge, others: readonly Edge[]): Edge[] {
  const cuts = others
    .map(([c, d]) => meetingPoint(from, to, c, d))
    .filter((point) => point !== null)
    .sort((one, other) => angleBetween(from, one) - angleBetween(from, other));
  const distinct = [from, ...cuts, to].filter(
    (point, index, all) => index === 0 || angleBetween(all[index - 1] ?? point, point) > 1e-15,
  );
  return edgesOf(distinct);
}

/** The parts of a line that lie in a polygon. */
export function lineInPolygon(line: string, polygon: string): string | null {
  const [lines, polygons] = [linesOf(line), polygonsOf(polygon)];
  if (!lines || !polygons) return null;
  const borders = allEdges(polygons);
  const found: Vector[][] = [];
  for (const one of lines) {
    let isOpen = false;
    for (const [from, to] of edgesOf(one).flatMap((edge) => pieces(edge, borders))) {
      const isInside = isInPolygons(unit(plus(from, to)), polygons);
      if (isInside && isOpen) found.at(-1)?.push(to);
      else if (isInside) found.push([from, to]);
      isOpen = isInside;
    }
  }
  return linesJson(found);
}

/** Lines as one, each edge once; lines that cross between their vertices are refused. */
export function linesUnion(json: string): string | null {
  const parsed: unknown = JSON.parse(json);
  const given = Array.isArray(parsed) ? (parsed as unknown[]).map((one) => JSON.stringify(one)) : [];
  const shapes = given.map(linesOf);
  if (shapes.length === 0 || shapes.includes(null)) return null;
  const edges: Edge[] = [];
  for (const edge of shapes.flatMap((lines) => lines ?? []).flatMap(edgesOf)) {
    if (edges.some((other) => isSameEdge(edge, other))) continue;
    if (edges.some((other) => crosses(edge, other))) throw new ShapeRefusal(say('linesCross'));
    edges.push(edge);
  }
  return linesJson(chains(edges));
}

const isSameEdge = ([a, b]: Edge, [c, d]: Edge): boolean =>
  (isSame(a, c) && isSame(b, d)) || (isSame(a, d) && isSame(b, c));

function crosses([a, b]: Edge, [c, d]: Edge): boolean {
  const found = meetingPoint(a, b, c, d);
  const ends = [a, b].some((end) => isSame(end, c) || isSame(end, d));
  return (found !== null && !ends) || overlaps([a, b], [c, d]) || overlaps([c, d], [a, b]);
}

/** Edges that follow each other as lines; where more than two meet, lines end. */
function chains(edges: readonly Edge[]): Vector[][] {
  const ends = edges.flat();
  const meetings = (point: Vector): number => ends.filter((end) => isSame(end, point)).length;
  const lines: Vector[][] = [];
  for (const [from, to] of edges) {
    const last = lines.at(-1);
    const end = last?.at(-1);
    if (last && end && isSame(end, from) && meetings(from) === 2) last.push(to);
    else lines.push([from, to]);
  }
  return lines;
}
