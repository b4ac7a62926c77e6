import type { HttpPollerConfig } from '@tyrian/contract';

// The request of a poll: names in braces are replaced by what is known of them, and a parameter with one that is not known
// is left out.

export type Variable = 'since' | 'until' | 'cursor' | 'page' | 'offset' | 'limit';
export type Variables = Readonly<Partial<Record<Variable, string>>>;

const NAMED = /\{(since|until|cursor|page|offset|limit)\}/g;

/** The text with its variables; undefined when one of them is not known. */
function filledIn(template: string, variables: Variables): string | undefined {
  let isWhole = true;
  const text = template.replace(NAMED, (_all, name: Variable) => {
    const value = variables[name];
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? text : undefined;
}

/** The address of a page: the one that the service gave, or that of the settings with its parameters. */
export function addressOf(config: HttpPollerConfig, variables: Variables, given?: string): URL {
  if (given !== undefined) return new URL(given);
  const url = new URL(filledIn(config.url.replace(/%7B(\w+)%7D/gi, '{$1}'), variables) ?? config.url);
  for (const { name, value } of config.query) {
    const filled = filledIn(value, variables);
    if (filled !== undefined) url.searchParams.append(name, filled);
  }
  return url;
}

/** Headers of the settings, for what is known. */
export function headersOf(config: HttpPollerConfig, variables: Variables): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json, text/csv, text/plain, */*' };
  for (const { name, value } of config.headers) {
    const filled = filledIn(value, variables);
    if (filled !== undefined) headers[name.toLowerCase()] = filled;
  }
  return headers;
}

/** The template of a body in JSON with its variables. A member that is nothing but an unknown variable is left out. */
export function bodyOf(config: HttpPollerConfig, variables: Variables): string | undefined {
  if (config.method !== 'POST') return undefined;
  if (config.body.trim() === '') return '';
  return JSON.stringify(filledValue(JSON.parse(config.body), variables));
}

function filledValue(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filledText(value, variables);
  if (Array.isArray(value))
    return value.map((one) => filledValue(one, variables)).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).map(([name, one]) => [name, filledValue(one, variables)] as const);
  return Object.fromEntries(filled.filter(([, one]) => one !== undefined));
}

/** Counts travel as numbers, and times where the whole text is one variable in seconds. */
function filledText(text: string, variables: Variables): unknown {
  const filled = filledIn(text, variables);
  const isNumber = /^\{(page|offset|limit)\}$/.test(text);
  return filled !== undefined && isNumber ? Number(filled) : filled;
}
