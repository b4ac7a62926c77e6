import { type Edge, type Polygon, polygonEdges, type Ring, ringArea, ringEdges } from './shape.ts';
import { cross, dot, minus, times, type Vector } from './sphere.ts';

/** How often a ring goes round a point, by the angles between its vertices as the point sees them. */
function turnsRound(point: Vector, ring: Ring): number {
  const angles = ringEdges(ring).map(([from, to]: Edge) => {
    const [one, other] = [
      minus(from, times(point, dot(point, from))),
      minus(to, times(point, dot(point, to))),
    ];
    return Math.atan2(dot(point, cross(one, other)), dot(one, other));
  });
  return Math.round(angles.reduce((all, one) => all + one, 0) / (2 * Math.PI));
}

/** Whether a point lies in the smaller of the two regions that a ring makes of the sphere. */
const isInRing = (point: Vector, ring: Ring): boolean =>
  turnsRound(point, ring) === (ringArea(ring) < 0 ? -1 : 1);

/** Whether a point lies in the shell and in no hole. */
export function isInPolygon(point: Vector, polygon: Polygon): boolean {
  const [shell, ...holes] = polygon;
  return shell !== undefined && isInRing(point, shell) && !holes.some((hole) => isInRing(point, hole));
}

export const isInPolygons = (point: Vector, polygons: readonly Polygon[]): boolean =>
  polygons.some((polygon) => isInPolygon(point, polygon));

export const allEdges = (polygons: readonly Polygon[]): Edge[] => polygons.flatMap(polygonEdges);
