import type { Span } from '@tyrian/diagnostics';

// YAML as plain values that know where they stand. Aliases are unfolded, so nothing behind this file meets one.

/** A scalar: its value in the core schema of YAML 1.2, and the text as it was written. */
export interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  readonly text: string;
  readonly span: Span;
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlValue;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

export interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlValue[];
  readonly span: Span;
}

export type YamlValue = YamlScalar | YamlMap | YamlList;

/** The value under a key; undefined when there is none. */
export const entryOf = (map: YamlMap, key: string): YamlEntry | undefined =>
  map.entries.find((entry) => entry.key === key);

/** The value as a list: itself, or the only item of one. */
export const listed = (value: YamlValue): readonly YamlValue[] =>
  value.kind === 'list' ? value.items : [value];
