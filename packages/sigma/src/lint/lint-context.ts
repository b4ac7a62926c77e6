import type { SourcedDocument } from '../documents/read-sigma.ts';
import type { YamlMap, YamlScalar, YamlValue } from '../yaml/yaml-value.ts';
import { listed } from '../yaml/yaml-value.ts';

/** What the linter is told besides the text; what is absent is not looked at. */
export interface LintContext {
  /** What ATT&CK has: ids such as `T1059.001`, and tactics as tags write them, `defense-evasion`. */
  readonly attack?: {
    readonly techniques: ReadonlySet<string>;
    readonly tactics: ReadonlySet<string>;
  };
  /** Titles of other rules by their ids. */
  readonly takenIds?: ReadonlyMap<string, string>;
}

/** A document as checks look at it. */
export interface LintedDocument {
  readonly map: YamlMap;
  readonly read: SourcedDocument['read'];
}

/** The plain values under a key, which may be one or a list. */
export const scalarsOf = (value: YamlValue | undefined): readonly YamlScalar[] =>
  value === undefined ? [] : listed(value).filter((one): one is YamlScalar => one.kind === 'scalar');

/** A value as text: that of a text, the digits of a number, as written. */
export const textIn = ({ value, text }: YamlScalar): string => (typeof value === 'string' ? value : text);
