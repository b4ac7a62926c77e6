// Well-known text to GeoJSON.

type Position = readonly number[];
type Nested = readonly (Nested | number)[];

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** How deep the coordinates of each kind are nested. */
const KINDS: Readonly<Record<string, readonly [name: string, depth: number]>> = {
  POINT: ['Point', 0],
  LINESTRING: ['LineString', 1],
  POLYGON: ['Polygon', 2],
  MULTIPOINT: ['MultiPoint', 1],
  MULTILINESTRING: ['MultiLineString', 2],
  MULTIPOLYGON: ['MultiPolygon', 3],
};

class Reader {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(/[(),]|[^\s(),]+/g) ?? [];
  }

  next(): string {
    return this.tokens[this.at++] ?? '';
  }

  peek(): string {
    return this.tokens[this.at] ?? '';
  }

  get isDone(): boolean {
    return this.at >= this.tokens.length;
  }

  expect(token: string): void {
    if (this.next() !== token) throw new SyntaxError(`${token} expected`);
  }
}

function position(reader: Reader): Position {
  const numbers: number[] = [];
  while (NUMBER.test(reader.peek())) numbers.push(Number(reader.next()));
  const [longitude, latitude] = numbers;
  if (longitude === undefined || latitude === undefined || numbers.length > 4) throw new SyntaxError('place');
  return [longitude, latitude];
}

/** A list in brackets. */
function list<T>(reader: Reader, part: () => T): T[] {
  reader.expect('(');
  const parts = [part()];
  while (reader.peek() === ',') {
    reader.next();
    parts.push(part());
  }
  reader.expect(')');
  return parts;
}

function nested(reader: Reader, depth: number): Nested {
  if (depth > 0) return list(reader, () => nested(reader, depth - 1));
  if (reader.peek() !== '(') return position(reader);
  const [only, ...more] = list(reader, () => position(reader));
  if (!only || more.length > 0) throw new SyntaxError('one place');
  return only;
}

function geometry(reader: Reader): object {
  const word = reader.next().toUpperCase();
  if (word === 'GEOMETRYCOLLECTION')
    return { type: 'GeometryCollection', geometries: list(reader, () => geometry(reader)) };
  const kind = KINDS[word];
  if (!kind || reader.peek() !== '(') throw new SyntaxError(word);
  return { type: kind[0], coordinates: nested(reader, kind[1]) };
}

/** The GeoJSON of a well-known text; null when it is none. */
export function geoJsonOfWkt(text: string): string | null {
  const reader = new Reader(text);
  try {
    const shape = geometry(reader);
    return reader.isDone ? JSON.stringify(shape) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
