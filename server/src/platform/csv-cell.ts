// The one writer of CSV cells, after RFC 4180. Spreadsheets run text that begins with a sign of a formula, also after
// blanks and quotes, also full-width, and some split a file at semicolons or tabs whatever its separator is.
// See https://owasp.org/www-community/attacks/CSV_Injection.

const BLANKS = String.raw`[\s\p{Cc}\p{Cf}"']*`;
const FORMULA_START = new RegExp(String.raw`^(?:${BLANKS}[=+\-@＝＋－＠]|[\t\r])`, 'u');
/** A formula after a semicolon or tab; a number with its sign, as in `1;-2`, is none. */
const FORMULA_INSIDE = new RegExp(
  String.raw`([;\t]${BLANKS})(?=[=@＝＠]|[+\-＋－](?!\d[\d.,]*\s*(?:;|$)))`,
  'gu',
);
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Text with an apostrophe before whatever a spreadsheet would run as a formula. */
function withoutFormulas(text: string): string {
  const inside = text.replace(FORMULA_INSIDE, "$1'");
  return FORMULA_START.test(inside) ? `'${inside}` : inside;
}

/**
 * A cell of a CSV file. Text that a spreadsheet would run as a formula gets an apostrophe in front, unless the caller
 * wants the bytes as they are; null is an empty cell.
 */
export function csvCell(value: string | number | null, { formulaGuard = true } = {}): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formulaGuard ? withoutFormulas(value) : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
