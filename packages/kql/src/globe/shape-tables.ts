import { type Edge, edgesOf, linesOf, type Polygon, polygonsOf, ringArea, ringEdges } from './shape.ts';
import { cross, dot, normal, unit, type Vector } from './sphere.ts';

// What the engine needs to hold a point of each row against a shape, as JSON arrays of numbers for each edge: its two
// ends, the normal of its plane, and the two planes that stand on its ends.

function edgeRow([from, to]: Edge, sign: number): number[] {
  const plane = unit(normal(from, to));
  const vectors: readonly Vector[] = [from, to, plane, cross(plane, from), cross(to, plane)];
  return [...vectors.flat(), ...cross(from, to), dot(from, to), sign];
}

/** The edges of lines; null for what is no line. */
export function lineTable(json: string): string | null {
  const lines = linesOf(json);
  return lines && JSON.stringify(lines.flatMap(edgesOf).map((edge) => edgeRow(edge, 0)));
}

/** Polygons of rings of edges, each with the direction of its ring; null for what is no polygon. */
export function polygonTable(json: string): string | null {
  const rows = (polygon: Polygon): number[][][] =>
    polygon.map((ring) => ringEdges(ring).map((edge) => edgeRow(edge, ringArea(ring) < 0 ? -1 : 1)));
  const polygons = polygonsOf(json);
  return polygons && JSON.stringify(polygons.map(rows));
}
