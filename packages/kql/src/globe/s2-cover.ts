import { say } from '@tyrian/diagnostics';
import { allEdges, isInPolygons } from './contains.ts';
import { ShapeRefusal } from './measures.ts';
import { cellAt, corners, neighbours, tokenOf } from './s2-cell.ts';
import { type Edge, edgesOf, linesOf, type Polygon, polygonsOf, ringArea, ringEdges } from './shape.ts';
import { meetingPoint, type Vector } from './sphere.ts';

// The cells of one level that a shape touches: from the cells of its vertices on, from neighbour to neighbour.

const MAX_CELLS = 65_536;
const MAX_WORK = 5_000_000;

const isLevel = (level: number): boolean => Number.isInteger(level) && level >= 0 && level <= 30;

function cover(edges: readonly Edge[], level: number, covers: (corner: Vector) => boolean): string | null {
  const done = new Set<bigint>(edges.map(([from]) => cellAt(from, level)));
  for (const [, to] of edges) done.add(cellAt(to, level));
  const found = [...done];
  let work = 0;
  for (const cell of found) {
    for (const next of neighbours(cell)) {
      if (done.has(next)) continue;
      done.add(next);
      work += edges.length;
      if (work > MAX_WORK) throw new ShapeRefusal(say('tooManyCells'));
      if (touches(next, edges, covers)) found.push(next);
    }
    if (found.length > MAX_CELLS) return null;
  }
  return JSON.stringify(found.sort((one, other) => (one < other ? -1 : 1)).map(tokenOf));
}

function touches(cell: bigint, edges: readonly Edge[], covers: (corner: Vector) => boolean): boolean {
  const ring = corners(cell);
  const sides = ringEdges(ring);
  const crossed = edges.some(([a, b]) => sides.some(([c, d]) => meetingPoint(a, b, c, d) !== null));
  return crossed || ring.some(covers);
}

export function lineToCells(json: string, level = 11): string | null {
  const lines = isLevel(level) ? linesOf(json) : null;
  return lines && cover(lines.flatMap(edgesOf), level, () => false);
}

export function polygonToCells(json: string, level = 11): string | null {
  const polygons = isLevel(level) ? polygonsOf(json) : null;
  // Cells of a level differ in size, the largest by less than twice the mean.
  const least = polygons ? (largestArea(polygons) / (4 * Math.PI)) * 3 * 4 ** level : 0;
  if (least > MAX_CELLS) return null;
  return polygons && cover(allEdges(polygons), level, (corner) => isInPolygons(corner, polygons));
}

/** The area inside the largest polygon, in steradians. */
const largestArea = (polygons: readonly Polygon[]): number =>
  Math.max(
    ...polygons.map(([shell = [], ...holes]) =>
      holes.reduce((area, hole) => area - Math.abs(ringArea(hole)), Math.abs(ringArea(shell))),
    ),
  );
