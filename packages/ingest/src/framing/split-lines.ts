// Lines of a text: newline or CR LF ends one, the last needs no end, empty lines are no records.

/** Cuts a body that has been decoded into lines. */
export function* splitLines(text: string): Generator<string> {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const trimmed = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (trimmed > from) {
      const line = text.slice(from, trimmed);
      if (line.charCodeAt(0) > 32 || line.trim() !== '') yield line;
    }
    from = end + 1;
  }
}
