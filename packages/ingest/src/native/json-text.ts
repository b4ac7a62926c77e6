import type { Fields } from '../event-row.ts';

// JSON.stringify writes them as escapes: \ud800 to \udfff.
const LONE_SURROGATE = /\\ud[89a-f]/;
const LONE_SURROGATES = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** The fields as JSON. They are bounded before; should they still be too much, the event keeps its text only. */
function stringified(fields: Fields): string {
  try {
    return JSON.stringify(fields);
  } catch {
    return '{"IngestMarks":["decoder-failed"]}';
  }
}

/** Fields as the text of a JSON object. A lone half of a surrogate pair is no UTF-8 and becomes U+FFFD. */
export function jsonText(fields: Fields): string {
  const text = stringified(fields);
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '$1\ufffd') : text;
}
