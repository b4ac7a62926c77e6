import type { KustoDiagnostic } from '../kusto.ts';

// Where the language service refuses what Kusto takes. Such an error is dropped, and the lowering sees to the meaning.

/** Whether an error of the language service is none of Kusto's. */
export function isOverStrict(text: string, { Code, Start, Length, Message }: KustoDiagnostic): boolean {
  const before = text.slice(0, Start);
  // The seconds of make_timespan may have a fraction.
  if (Code === 'KS134' && /\bmake_timespan\s*\((?:[^(),]*,){2,3}\s*$/.test(before)) return true;
  if (Code !== 'KS107') return false;
  // A whole number is a long, and fits where an int belongs: the degree of series_fit_poly.
  if (/\bint\b/.test(Message) && /^\s*-?\d+\s*$/.test(text.slice(Start, Start + Length))) return true;
  // todynamic is parse_json by another name, and takes what that takes.
  return /\btodynamic\s*\(\s*$/.test(before);
}
