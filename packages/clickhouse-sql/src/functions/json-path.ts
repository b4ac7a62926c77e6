const STEP = String.raw`\.[A-Za-z_$][\w$-]*|\[\s*\d+\s*\]|\[\s*(?:'[^']*'|"[^"]*")\s*\]`;

/** Whether every step of a JSON path is a name or an index from the start. */
export const isJsonPath = (path: string): boolean => new RegExp(`^\\$?(?:${STEP})*$`).test(path);

/** The steps of a JSON path such as `$.a['b c'][0]`: names and zero-based indexes. */
export function jsonPathParts(path: string): (string | number)[] {
  const parts: (string | number)[] = [];
  const pattern = /\.([A-Za-z_$][\w$-]*)|\[\s*(\d+)\s*\]|\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/g;
  for (const match of path.matchAll(pattern)) {
    const [, dotted, place, single, double] = match;
    if (place !== undefined) parts.push(Number(place));
    else parts.push(dotted ?? single ?? double ?? '');
  }
  return parts;
}
