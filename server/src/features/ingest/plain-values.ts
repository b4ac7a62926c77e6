// Values that decoders of binary forms hand out, as JSON can hold them.

/** A whole number as JSON can hold it; beyond 2^53 its digits as text. Undefined for what is no number. */
export function wholeNumber(value: unknown): number | string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** An object with members. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Nothing for what is no list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Bytes that are text, as text; others in base64. */
export function textOfBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return text.includes('\ufffd') ? buffer.toString('base64') : text;
}

/** The text without what `isBlank` says of its ends. Linear, whatever stands in the middle. */
export function trimEnds(text: string, isBlank: (code: number) => boolean): string {
  let start = 0;
  let end = text.length;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  return text.slice(start, end);
}
