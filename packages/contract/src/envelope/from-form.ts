/** A field of a form is text; JSON in it is read, whatever else stays text. */
export const fromForm = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
