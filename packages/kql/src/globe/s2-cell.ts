import { unit, type Vector } from './sphere.ts';

// Cells of S2: six faces of a cube, each divided along a Hilbert curve in thirty levels. A cell is a number of 64 bits,
// its token the hexadecimal digits of it without the zeros at the end.

const MAX_LEVEL = 30;
const MAX_SIZE = 2 ** MAX_LEVEL;

const POSITION_TO_IJ = [
  [0, 1, 3, 2],
  [0, 2, 3, 1],
  [3, 2, 0, 1],
  [3, 1, 0, 2],
];
const IJ_TO_POSITION = POSITION_TO_IJ.map((row) => [0, 1, 2, 3].map((ij) => row.indexOf(ij)));
const TURNED = [1, 0, 0, 3];

interface Leaf {
  readonly face: number;
  readonly i: number;
  readonly j: number;
}

const toUv = (s: number): number => (s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) ** 2) / 3);
const toSt = (u: number): number => (u >= 0 ? 0.5 * Math.sqrt(1 + 3 * u) : 1 - 0.5 * Math.sqrt(1 - 3 * u));
const toIndex = (s: number): number => Math.max(0, Math.min(MAX_SIZE - 1, Math.floor(MAX_SIZE * s)));

function faceUv([x, y, z]: Vector): readonly [number, number, number] {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const axis = ax > ay ? (ax > az ? 0 : 2) : ay > az ? 1 : 2;
  const value = [x, y, z][axis] ?? 0;
  const sides: readonly (readonly [number, number])[] = [
    [y / x, z / x],
    [-x / y, z / y],
    [-x / z, -y / z],
    [z / x, y / x],
    [z / y, -x / y],
    [-y / z, -x / z],
  ];
  const face = value < 0 ? axis + 3 : axis;
  const [u, v] = sides[face] ?? [0, 0];
  return [face, u, v];
}

function vectorOfUv(face: number, u: number, v: number): Vector {
  const all: readonly Vector[] = [
    [1, u, v],
    [-u, 1, v],
    [-u, -v, 1],
    [-1, -v, -u],
    [v, -1, -u],
    [v, u, -1],
  ];
  return all[face] ?? [0, 0, 0];
}

/** The number of the leaf at (i, j) of a face. */
function leafId({ face, i, j }: Leaf): bigint {
  let orientation = face & 1;
  let id = BigInt(face);
  for (let level = MAX_LEVEL - 1; level >= 0; level--) {
    const ij = (Math.floor(i / 2 ** level) % 2) * 2 + (Math.floor(j / 2 ** level) % 2);
    const position = IJ_TO_POSITION[orientation]?.[ij] ?? 0;
    id = id * 4n + BigInt(position);
    orientation ^= TURNED[position] ?? 0;
  }
  return id * 2n + 1n;
}

const lowestBit = (id: bigint): bigint => id & -id;

const levelOf = (id: bigint): number => MAX_LEVEL - (lowestBit(id).toString(2).length - 1) / 2;

function parent(id: bigint, level: number): bigint {
  const bit = 1n << BigInt(2 * (MAX_LEVEL - level));
  return (id & ~(2n * bit - 1n)) | bit;
}

/** Face, lower corner and size of a cell. */
function cellBox(id: bigint): Leaf & { readonly size: number } {
  const level = levelOf(id);
  const face = Number(id >> 61n);
  let [i, j, orientation] = [0, 0, face & 1];
  for (let step = 0; step < level; step++) {
    const position = Number((id >> BigInt(2 * (MAX_LEVEL - step) - 1)) & 3n);
    const ij = POSITION_TO_IJ[orientation]?.[position] ?? 0;
    [i, j] = [i * 2 + (ij >> 1), j * 2 + (ij & 1)];
    orientation ^= TURNED[position] ?? 0;
  }
  const size = 2 ** (MAX_LEVEL - level);
  return { face, i: i * size, j: j * size, size };
}

/** The number behind a token; null when it is none. */
function cellOfToken(token: string): bigint | null {
  if (!/^[0-9a-f]{1,16}$/i.test(token)) return null;
  const id = BigInt(`0x${token.padEnd(16, '0')}`);
  const isValid = id >> 61n < 6n && (lowestBit(id) & 0x1555555555555555n) !== 0n;
  return isValid ? id : null;
}

export const tokenOf = (id: bigint): string => id.toString(16).padStart(16, '0').replace(/0+$/, '');

/** The cell of a level at a point. */
export function cellAt(point: Vector, level: number): bigint {
  const [face, u, v] = faceUv(point);
  return parent(leafId({ face, i: toIndex(toSt(u)), j: toIndex(toSt(v)) }), level);
}

/** The corners of a cell against the clock. */
export function corners(id: bigint): Vector[] {
  const { face, i, j, size } = cellBox(id);
  const at = (x: number, y: number): Vector => unit(vectorOfUv(face, toUv(x / MAX_SIZE), toUv(y / MAX_SIZE)));
  return [at(i, j), at(i + size, j), at(i + size, j + size), at(i, j + size)];
}

/** The leaf at (i, j), which may lie beyond the edge of its face. */
function wrapped(face: number, i: number, j: number): bigint {
  if (i >= 0 && j >= 0 && i < MAX_SIZE && j < MAX_SIZE) return leafId({ face, i, j });
  const limit = 1 + Number.EPSILON;
  const side = (value: number): number => {
    const within = Math.max(-1, Math.min(MAX_SIZE, value));
    return Math.max(-limit, Math.min(limit, (2 * (within - MAX_SIZE / 2) + 1) / MAX_SIZE));
  };
  const [other, u, v] = faceUv(vectorOfUv(face, side(i), side(j)));
  return leafId({ face: other, i: toIndex(0.5 * (u + 1)), j: toIndex(0.5 * (v + 1)) });
}

/** The cells of the same level round a cell. */
export function neighbours(id: bigint): bigint[] {
  const { face, i, j, size } = cellBox(id);
  const places = [
    [1, 1],
    [-1, -1],
    [1, -1],
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0],
    [-1, 1],
  ] as const;
  const level = levelOf(id);
  const all = places.map(([x, y]) => parent(wrapped(face, i + x * size, j + y * size), level));
  return [...new Set(all)].filter((one) => one !== id);
}

export function s2CellNeighbours(token: string): string | null {
  const id = cellOfToken(token);
  return id === null ? null : JSON.stringify(neighbours(id).map(tokenOf));
}
