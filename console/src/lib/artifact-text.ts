import type { EntityType } from '@tyrian/contract';

// Indicators as reports and colleagues write them: `hxxps://evil[.]example`, `ana[at]example.org`. Reading makes them
// whole again and says what they are; writing them so keeps anybody from opening one by a slip.

export interface ReadArtifact {
  /** Null where the text alone does not say what it is. */
  readonly type: EntityType | null;
  readonly value: string;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/;
const IPV6 = /^(?=.*:.*:)[\da-f:]+(?:\.\d{1,3}){0,3}$/i;
const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i;
const MAIL = /^[^\s@<>"]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d-]+)+$/i;
const URL_TEXT = /^[a-z][a-z\d+.-]*:\/\/\S+$/i;
const DOMAIN = /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,24}|xn--[a-z\d-]+)\.?$/i;
const PATH = /^(?:[a-z]:[\\/]|\\\\|\/|%\w+%\\|~\/)\S/i;
/** Endings that are files far more often than domains. */
const FILE =
  /^[^\s\\/]+\.(?:exe|dll|sys|ps1|bat|cmd|vbs|js|jse|hta|lnk|iso|img|msi|scr|docx?|docm|xlsx?|xlsm|pptx?|pdf|zip|rar|7z|gz|tar|jar|py|sh|elf|bin|dat|tmp|txt|log)$/i;

/** The value as it was before somebody made it harmless. */
export function refang(text: string): string {
  return text
    .replace(/\bh(?:xx|\*\*|tt)p(s?)(?=\s*(?:\[?:\]?\/\/|\[:\/\/\]))/gi, 'http$1')
    .replace(/\bfxp(?=\[?:)/gi, 'ftp')
    .replace(/\[:\/\/\]/g, '://')
    .replace(/\[:\]|\(:\)/g, ':')
    .replace(/\s?[[({]\s?(?:dot|\.)\s?[\])}]\s?/gi, '.')
    .replace(/\s?[[({]\s?(?:at|@)\s?[\])}]\s?/gi, '@')
    .replace(/\[\/\]/g, '/');
}

/** The value written so that nothing makes a link of it. */
export function defang(value: string): string {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(value) ?? [];
  if (scheme === undefined || rest === undefined) return value.replaceAll('.', '[.]');
  const end = rest.search(/[/?#]/);
  const [host, path] = end < 0 ? [rest, ''] : [rest.slice(0, end), rest.slice(end)];
  return `${scheme.replace(/^http/i, 'hxxp')}://${host.replaceAll('.', '[.]')}${path}`;
}

/** What a value is, by its form. */
function artifactType(value: string): EntityType | null {
  if (URL_TEXT.test(value)) return 'url';
  if (IPV4.test(value) || IPV6.test(value)) return 'ip';
  if (MAIL.test(value)) return 'mail';
  if (HASH.test(value)) return 'hash';
  if (PATH.test(value) || FILE.test(value)) return 'file';
  if (DOMAIN.test(value)) return 'domain';
  return null;
}

/**
 * The values of a text, each once. Lines, commas and semicolons divide; blanks do where every part is recognized, as in
 * a row of addresses. Punctuation around a value is none of it.
 */
export function readArtifacts(text: string): readonly ReadArtifact[] {
  const found = new Map<string, ReadArtifact>();
  for (const line of refang(text).split(/[\n\r,;]+/)) {
    for (const value of valuesOf(line.trim())) {
      const key = value.toLowerCase();
      if (value !== '' && !found.has(key)) found.set(key, { type: artifactType(value), value });
    }
  }
  return [...found.values()];
}

function valuesOf(line: string): readonly string[] {
  const whole = bare(line);
  if (artifactType(whole) !== null && !/\s/.test(whole)) return [whole];
  const parts = line.split(/\s+/).map(bare);
  // A path may hold blanks; a row of paths is one only where each part is a path.
  const known = PATH.test(whole)
    ? (part: string) => PATH.test(part)
    : (part: string) => artifactType(part) !== null;
  return parts.length > 1 && parts.every(known) ? parts : [whole];
}

/** Without list marks, quotes, brackets and the full stop of a sentence around it. */
const bare = (text: string): string =>
  text
    .replace(/^(?:[-*•]\s+|["'`<([]+)+/, '')
    .replace(/["'`>)\].]+$/, '')
    .trim();
