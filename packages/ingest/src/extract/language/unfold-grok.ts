import { GROK_PATTERNS } from './grok-patterns.ts';

// Grok: `%{NAME:field}` stands for the pattern NAME in a group called `field`; `%{NAME}` for the pattern alone.

const REFERENCE = /%\{(\w{1,64})(?::([\w.[\]@-]{1,128}))?(?::(?:int|float))?\}/g;
const DEEPEST = 12;
/** Letters that an unfolded pattern may have; the patterns of a person may name each other. */
const LONGEST = 16_384;
/** References that are followed for one pattern. */
const MOST_REFERENCES = 300;

export interface UnfoldedGrok {
  readonly source: string;
  /** Names of fields by those of the groups, which may hold letters and digits only. */
  readonly fields: ReadonlyMap<string, string>;
}

export type GrokFault =
  | { readonly unknown: string }
  | { readonly circular: string }
  | { readonly long: true };

/** A pattern without grok in it, or why it cannot be one. `globals` come before our own patterns. */
export function unfoldGrok(text: string, globals: ReadonlyMap<string, string>): UnfoldedGrok | GrokFault {
  const fields = new Map<string, string>();
  let fault: GrokFault | undefined;
  let references = 0;
  const unfold = (part: string, depth: number): string =>
    part.replace(REFERENCE, (_, name: string, field: string | undefined) => {
      const inner =
        globals.get(name) ?? (Object.hasOwn(GROK_PATTERNS, name) ? GROK_PATTERNS[name] : undefined);
      if (inner === undefined) {
        fault ??= { unknown: name };
        return '';
      }
      references += 1;
      if (references > MOST_REFERENCES) fault ??= { long: true };
      if (depth >= DEEPEST) {
        fault ??= { circular: name };
        return '';
      }
      const body = fault === undefined ? unfold(inner, depth + 1) : '';
      if (body.length > LONGEST) fault ??= { long: true };
      if (field === undefined) return `(?:${body})`;
      const group = `f${fields.size}`;
      fields.set(group, field.replaceAll(/[[\]]+/g, '.').replaceAll(/^\.|\.$/g, ''));
      return `(?<${group}>${body})`;
    });
  const source = unfold(text, 0);
  if (fault !== undefined) return fault;
  return source.length > LONGEST ? { long: true } : { source, fields };
}
