import { type Diagnostic, inEnglish, type Span, say } from '@tyrian/diagnostics';
import { messages } from '../messages.ts';

// Functions that a query may name without declaring them: those saved in the tenant, and the parsers of ASIM. What a
// text names is written in front of it as let statements, so that a saved function means what the same let would mean.

export interface SavedFunction {
  readonly name: string;
  /** As between the brackets of a let: `limit: long = 10, T: (TimeGenerated: datetime)`. */
  readonly parameters: string;
  /** KQL; statements and one expression, as between the braces of a let. */
  readonly body: string;
  /** What it is for, in a line or two. */
  readonly description?: string;
}

interface TextWithFunctions {
  readonly text: string;
  /** A span of that text as a span of the user's text; in a function it is where the text first names it. */
  readonly original: (span: Span) => Span;
  /** A diagnostic at spans of the user's text; one of a function says of which. */
  readonly told: (one: Diagnostic, place: (span: Span) => Span, bound?: (span: Span) => Span) => Diagnostic;
  readonly refusals: readonly Diagnostic[];
}

interface Written {
  readonly name: string;
  readonly end: number;
}

/** Writes the functions that a text names, and those that they name, in front of it. */
export function withFunctions(text: string, functions: readonly SavedFunction[]): TextWithFunctions {
  const byName = new Map(functions.map((one) => [one.name, one]));
  const named = namesIn(text).filter((name) => byName.has(name) && !declares(text, name));
  if (named.length === 0) return { text, original: (span) => span, told: toldWith(() => null), refusals: [] };
  const refusals: Diagnostic[] = [];
  const placeOf = (name: string): Span => firstPlace(text, name, named);
  const order = inOrder(named, byName, text, (name) =>
    refusals.push(messages.recursion(placeOf(name), name)),
  );
  const written: Written[] = [];
  let prelude = '';
  for (const { name, parameters, body } of order) {
    prelude += `let ${name} = (${parameters}) {${body}\n};\n`;
    written.push({ name, end: prelude.length });
  }
  const functionAt = ({ start }: Span): string | null => written.find(({ end }) => start < end)?.name ?? null;
  return {
    text: prelude + text,
    told: toldWith(functionAt),
    refusals,
    original: (span) => {
      const inside = functionAt(span);
      if (inside !== null) return placeOf(inside);
      return { start: span.start - prelude.length, end: span.end - prelude.length };
    },
  };
}

const toldWith =
  (functionAt: (span: Span) => string | null): TextWithFunctions['told'] =>
  (one, place, bound = (span) => span) => {
    const { fixes, ...rest } = one;
    const inside = functionAt(bound(one.span));
    const said = inside === null ? {} : saidIn(inside, one);
    const own = { ...rest, ...said, span: place(one.span) };
    if (!fixes || inside !== null) return own;
    return { ...own, fixes: fixes.map((fix) => ({ ...fix, span: place(fix.span) })) };
  };

function saidIn(name: string, { message, text }: Diagnostic): Pick<Diagnostic, 'message' | 'text'> {
  const whole = say('inFunction', { name, message: text ?? message });
  return { message: inEnglish(whole), text: whole };
}

/** The words of a text. */
const namesIn = (text: string): string[] => [...new Set(text.match(/\b[A-Za-z_]\w*\b/g) ?? [])];

const declares = (text: string, name: string): boolean => new RegExp(`\\blet\\s+${name}\\s*=`).test(text);

/** Functions with those that they name before them; one that comes to name itself is told and left out. */
function inOrder(
  named: readonly string[],
  byName: ReadonlyMap<string, SavedFunction>,
  text: string,
  recursive: (name: string) => void,
): SavedFunction[] {
  const done: SavedFunction[] = [];
  const open = new Set<string>();
  const visit = (name: string): void => {
    const own = byName.get(name);
    if (!own || done.includes(own) || declares(text, name)) return;
    if (open.has(name)) {
      recursive(name);
      return;
    }
    open.add(name);
    for (const used of namesIn(`${own.parameters} ${own.body}`))
      if (byName.has(used) && !declares(own.body, used)) visit(used);
    open.delete(name);
    done.push(own);
  };
  for (const name of named) visit(name);
  return done;
}

/** Where the text names a function, or the function of the text that leads to it. */
function firstPlace(text: string, name: string, named: readonly string[]): Span {
  for (const wanted of [name, ...named]) {
    const start = text.search(new RegExp(`\\b${wanted}\\b`));
    if (start >= 0) return { start, end: start + wanted.length };
  }
  return { start: 0, end: text.length };
}
