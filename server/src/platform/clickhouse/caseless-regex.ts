// A regular expression dictionary looks for the letters that a pattern must have before it tries the pattern, and does
// so with the case as written, whatever flag the pattern begins with. A pattern that ignores case therefore says so
// letter by letter.

/** The pattern with both cases of every ASCII letter: `Ab[c-e]\d` becomes `[Aa][Bb][c-eC-E]\d`. */
export function caselessRegex(pattern: string): string {
  // An escape, the flags of a group, a class, or one character.
  return pattern.replace(/\\.|\(\?[:=!<]|\[\^?\]?(?:\\.|[^\]\\])*\]|[A-Za-z]/gs, (part) => {
    if (part.startsWith('[')) return caselessClass(part);
    return /^[A-Za-z]$/.test(part) ? `[${part}${turned(part)}]` : part;
  });
}

function caselessClass(written: string): string {
  const added = written
    .slice(1, -1)
    .replace(/^\^/, '')
    .replace(/\\./g, '')
    .match(/[A-Za-z]-[A-Za-z]|[A-Za-z]/g);
  return added ? `${written.slice(0, -1)}${added.map(turned).join('')}]` : written;
}

const turned = (text: string): string =>
  text.replace(/[A-Za-z]/g, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
