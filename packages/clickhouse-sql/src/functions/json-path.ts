/** The steps of a JSON path such as `$.a['b c'][0]`: names and zero-based places. */
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
