/** A piece of JSON that is written already. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The parts of one value, the first last, as a stack takes them. */
function partsOf(value: object): unknown[] {
  const isList = Array.isArray(value);
  const parts: unknown[] = [new Written(isList ? ']' : '}')];
  const entries = Object.entries(value);
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const [name, inner] = entries[at] as [string, unknown];
    const comma = at === 0 ? '' : ',';
    parts.push(inner, new Written(isList ? comma : `${comma}${JSON.stringify(name)}:`));
  }
  parts.push(new Written(isList ? '[' : '{'));
  return parts;
}

/** A value of JSON as text, however deep it is nested; ends behind `most` characters. */
export function writeDeepJson(value: unknown, most: number): string {
  const written: string[] = [];
  let length = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0 && length <= most) {
    const next = stack.pop();
    if (typeof next === 'object' && next !== null && !(next instanceof Written)) {
      for (const part of partsOf(next)) stack.push(part);
      continue;
    }
    const text = next instanceof Written ? next.text : (JSON.stringify(next) ?? 'null');
    written.push(text);
    length += text.length;
  }
  return written.join('').slice(0, most);
}
