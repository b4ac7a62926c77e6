/**
 * Gives back the memory of bytes that nobody needs any more: they are empty from then on. V8 looks at all that a thread keeps
 * whenever 64 MB of such memory have come in, however much it keeps, and bytes that wait for an insert are too old by then to
 * go with the young garbage; what is moved is young again. Bytes that share their memory with others stay.
 */
export function giveBackMemory(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
    structuredClone(buffer, { transfer: [buffer] });
}
