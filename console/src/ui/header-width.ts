// A column is never narrower than its heading. Text is not measured, which would need the font and a canvas before
// the first row is drawn: the widths here are those of the heading's font, rounded up.

const PADDING_PX = 22;
const ARROW_PX = 16;
const WIDE = /[\u2e80-\uffef—№…]/u;
const BROAD = /[mwMWЖМШЩЫЮФжмшщыюфœæ@%≠]/u;
const CYRILLIC = /[а-яё]/u;
const CAPITAL = /\p{Lu}/u;
const NARROW = /[\s.,:;'’|ijlftrI1()]/u;

/** Width in px that a column needs to show its heading whole, with the arrow of the sort order beside it. */
export function headerWidth(title: string, isSortable: boolean): number {
  let width = PADDING_PX + (isSortable ? ARROW_PX : 0);
  for (const letter of title) width += letterWidth(letter);
  return Math.ceil(width);
}

function letterWidth(letter: string): number {
  if (WIDE.test(letter)) return 12.5;
  if (BROAD.test(letter)) return 10.6;
  if (CAPITAL.test(letter)) return 9;
  if (NARROW.test(letter)) return 5;
  return CYRILLIC.test(letter) ? 7.9 : 7.4;
}
