// Points on the sphere that Kusto measures on, as unit vectors. Edges are geodesics.

/** The radius of the sphere in metres. */
export const EARTH_RADIUS = 6_371_010;

export type Vector = readonly [number, number, number];

/** A longitude and a latitude in degrees. */
export type GeoPoint = readonly [number, number];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

export function vectorOf([longitude, latitude]: GeoPoint): Vector {
  const [phi, theta] = [radians(latitude), radians(longitude)];
  return [Math.cos(phi) * Math.cos(theta), Math.cos(phi) * Math.sin(theta), Math.sin(phi)];
}

export const pointOf = ([x, y, z]: Vector): GeoPoint => [
  degrees(Math.atan2(y, x)),
  degrees(Math.atan2(z, Math.hypot(x, y))),
];

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function unit(a: Vector): Vector {
  const size = length(a);
  return size === 0 ? a : times(a, 1 / size);
}

/** A normal of the plane of two points, exact also for points that are close to each other. */
export const normal = (a: Vector, b: Vector): Vector => cross(plus(a, b), minus(b, a));

/** The angle between two points, in radians. */
export const angleBetween = (a: Vector, b: Vector): number =>
  2 * Math.atan2(length(minus(a, b)), length(plus(a, b)));

/** The volume that three points span: positive when they turn to the left. */
export const turn = (a: Vector, b: Vector, c: Vector): number => dot(a, cross(minus(b, a), minus(c, a)));

/** The signed area of a triangle, in steradians. */
export const triangleArea = (a: Vector, b: Vector, c: Vector): number =>
  2 * Math.atan2(turn(a, b, c), 1 + dot(a, b) + dot(b, c) + dot(c, a));

/** The point of an edge that lies nearest to a point. */
export function nearestOnEdge(point: Vector, from: Vector, to: Vector): Vector {
  const plane = unit(normal(from, to));
  const foot = unit(minus(point, times(plane, dot(point, plane))));
  const isBetween = dot(cross(plane, from), foot) > 0 && dot(cross(to, plane), foot) > 0;
  if (isBetween) return foot;
  return angleBetween(point, from) <= angleBetween(point, to) ? from : to;
}

/** Where two edges meet between or at their ends; null when they do not. */
export function meetingPoint(a: Vector, b: Vector, c: Vector, d: Vector): Vector | null {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  for (const [value, point, from, to] of [
    [abc, c, a, b],
    [abd, d, a, b],
    [cda, a, c, d],
    [cdb, b, c, d],
  ] as const)
    if (Math.abs(value) < 1e-15 && angleBetween(point, nearestOnEdge(point, from, to)) < 1e-14) return point;
  if (abc * abd >= 0 || cda * cdb >= 0) return null;
  const found = unit(cross(normal(a, b), normal(c, d)));
  const middle = plus(plus(a, b), plus(c, d));
  const chosen = dot(found, middle) < 0 ? times(found, -1) : found;
  return dot(chosen, plus(a, b)) > 0 && dot(chosen, plus(c, d)) > 0 ? chosen : null;
}

/** The point of an edge at an angle from its start. */
export function pointAlong(from: Vector, to: Vector, angle: number): Vector {
  const side = unit(cross(normal(from, to), from));
  return unit(plus(times(from, Math.cos(angle)), times(side, Math.sin(angle))));
}
