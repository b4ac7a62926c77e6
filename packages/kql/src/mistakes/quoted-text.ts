/** A text literal; verbatim where backslashes would have to be doubled. */
export const quoted = (value: string): string =>
  value.includes('\\') ? `@"${value.replaceAll('"', '""')}"` : `"${value.replaceAll('"', '\\"')}"`;
