import { BinaryReader, ChunkHeader } from '@ts-evtx/core';

// Event log files of Windows (.evtx), as lines of XML, one for each record. A file is a head and chunks of 64 KiB, each of
// which can be read by itself.

const FILE_MAGIC = 'ElfFile\0';
const CHUNK_MAGIC = 'ElfChnk\0';
const EVTX_HEAD_BYTES = 4_096;
const CHUNK_BYTES = 65_536;

const startsWith = (bytes: Uint8Array, magic: string) =>
  Buffer.from(bytes.subarray(0, magic.length)).toString('latin1') === magic;

/** True for the beginning of an event log file. */
export function isEvtx(beginning: Uint8Array): boolean {
  return startsWith(beginning, FILE_MAGIC);
}

/** One record as one line: line ends inside of values stay what they are, as character references. */
function asLine(xml: string): string {
  return xml
    .replace(/>\s+</g, (between) => (/[\r\n]/.test(between) ? '><' : between))
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '&#10;')
    .trim();
}

const faultLine = (fault: string, bytes?: Uint8Array) =>
  JSON.stringify({
    EvtxFault: fault,
    ...(bytes ? { EvtxBytes: Buffer.from(bytes).toString('base64') } : {}),
  });

/** The records of one chunk; what cannot be read is a line that says so. */
function* chunkLines(chunk: Uint8Array): Generator<string> {
  if (!startsWith(chunk, CHUNK_MAGIC)) {
    // Room that was never used is empty.
    if (chunk.some((byte) => byte !== 0)) yield faultLine('not a chunk of an event log');
    return;
  }
  let behind = 'the head';
  try {
    for (const record of new ChunkHeader(new BinaryReader(Buffer.from(chunk)), 0).records()) {
      behind = `record ${record.recordNum()}`;
      try {
        yield asLine(record.renderXml());
      } catch (error) {
        yield faultLine(`${behind}: ${(error as Error).message}`, record.data());
      }
    }
  } catch (error) {
    yield faultLine(`the rest of a chunk behind ${behind} cannot be read: ${(error as Error).message}`);
  }
}

/** The records of a file, or of whole chunks of one, as lines. */
export async function* evtxLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept = Buffer.alloc(0);
  let isBegun = false;
  for await (const part of stream) {
    kept = Buffer.concat([kept, part]);
    if (!isBegun && kept.length < EVTX_HEAD_BYTES) continue;
    if (!isBegun && isEvtx(kept)) kept = kept.subarray(EVTX_HEAD_BYTES);
    isBegun = true;
    for (; kept.length >= CHUNK_BYTES; kept = kept.subarray(CHUNK_BYTES)) {
      const lines = [...chunkLines(kept.subarray(0, CHUNK_BYTES))];
      if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
    }
  }
  if (kept.some((byte) => byte !== 0))
    yield Buffer.from(`${faultLine(`the file ends within a chunk: ${kept.length} bytes are left`)}\n`);
}
