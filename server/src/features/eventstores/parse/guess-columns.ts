import type { ReadTable } from './read-table.ts';

// Names and types of the columns of a file. A type is guessed only when every value of the column fits it; a number with a
// leading zero is a text, because zeros would be lost.

const GUESSED_TYPES = ['long', 'real', 'bool', 'datetime', 'timespan', 'guid', 'dynamic'] as const;
type FittedType = (typeof GUESSED_TYPES)[number];

export interface GuessedColumn {
  readonly name: string;
  readonly type: 'string' | FittedType;
  /** As the file calls it. */
  readonly source: string;
  /** Values that are not empty, and how many of them can be read as each type. */
  readonly filled: number;
  readonly fits: Readonly<Record<FittedType, number>>;
}

/** The columns of a table with names that queries write without quotes. */
export function guessColumns({ header, rows }: Pick<ReadTable, 'header' | 'rows'>): GuessedColumn[] {
  const names = plainNames(header);
  return header.map((source, at) => {
    const fits: Record<FittedType, number> = {
      long: 0,
      real: 0,
      bool: 0,
      datetime: 0,
      timespan: 0,
      guid: 0,
      dynamic: 0,
    };
    let filled = 0;
    let isPadded = false;
    for (const row of rows) {
      const value = (row[at] ?? '').trim();
      if (value === '') continue;
      filled += 1;
      isPadded ||= /^[+-]?0\d/.test(value);
      for (const type of GUESSED_TYPES) if (FITS[type](value)) fits[type] += 1;
    }
    return { name: names[at] ?? '', source, type: typeOf(filled, fits, isPadded), filled, fits };
  });
}

const FITS: Readonly<Record<FittedType, (value: string) => boolean>> = {
  long: (value) => /^[+-]?\d{1,18}$/.test(value),
  real: (value) => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(value),
  bool: (value) => /^(?:true|false)$/i.test(value),
  datetime: (value) =>
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  timespan: (value) =>
    /^-?(?:\d+\.)?\d{1,2}:\d\d(?::\d\d(?:\.\d{1,7})?)?$/.test(value) || /^\d+(?:d|h|m|s|ms)$/.test(value),
  guid: (value) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value),
  dynamic: (value) => /^[[{]/.test(value) && isJson(value),
};

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** Identifiers stay texts, as they are in events: a GUID or a duration is chosen, not guessed. */
function typeOf(
  filled: number,
  fits: Readonly<Record<FittedType, number>>,
  isPadded: boolean,
): GuessedColumn['type'] {
  if (filled === 0) return 'string';
  const every = (type: FittedType): boolean => fits[type] === filled;
  if (every('bool')) return 'bool';
  if (every('datetime')) return 'datetime';
  if (every('dynamic')) return 'dynamic';
  if (isPadded) return 'string';
  return every('long') ? 'long' : every('real') ? 'real' : 'string';
}

function plainNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((source, at) => {
    const word = source
      .trim()
      .replaceAll(/\W+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 90);
    const plain = word === '' ? `Column${at + 1}` : /^\d/.test(word) ? `_${word}` : word;
    let name = plain;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
