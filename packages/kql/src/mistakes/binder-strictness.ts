import type { KustoDiagnostic } from '../kusto.ts';

// Where the language service refuses what Kusto takes. Such an error is dropped, and the lowering sees to the meaning.

/** Whether an error of the language service is none of Kusto's. */
export function isOverStrict(text: string, { Code, Start, Length, Message }: KustoDiagnostic): boolean {
  const before = text.slice(0, Start);
  // The seconds of make_timespan may have a fraction.
  if (Code === 'KS134' && /\bmake_timespan\s*\((?:[^(),]*,){2,3}\s*$/.test(before)) return true;
  // In search a number is looked for like a text, and stands for a condition as a text does.
  if (Code === 'KS106') return isSearched(before) && /^(?:and|or)\b/.test(text.slice(Start));
  if (Code === 'KS141') return isSearched(before) && /^[\d.]+$/.test(text.slice(Start, Start + Length));
  // What is no array has no length, and what is no bag has no keys: null, also where the text tells so.
  if (Code === 'KS234' || Code === 'KS235') return true;
  if (Code !== 'KS107') return false;
  if (isSearched(before) && /\bnot\s*\(\s*$/.test(before)) return true;
  // What count() is given makes no difference to it.
  if (/\bcount\s*\(\s*$/.test(before)) return true;
  // A whole number is a long, and fits where an int belongs: the degree of series_fit_poly.
  if (/\bint\b/.test(Message) && /^\s*-?\d+\s*$/.test(text.slice(Start, Start + Length))) return true;
  // todynamic is parse_json by another name, and takes what that takes.
  return /\btodynamic\s*\(\s*$/.test(before);
}

/** Whether a place is in the condition of search or find. */
const isSearched = (before: string): boolean =>
  /(?:^|[(|;])\s*(?:search|find)\b/.test(
    before.slice(Math.max(before.lastIndexOf('|'), before.lastIndexOf(';'), 0)),
  );
