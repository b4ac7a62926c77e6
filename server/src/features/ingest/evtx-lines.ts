import { EvtxFile } from '@ts-evtx/core';

// Event log files of Windows (.evtx), as lines of XML, one for each record.

const MAGIC = 'ElfFile\0';

/** True for the beginning of an event log file. */
export function isEvtx(beginning: Uint8Array): boolean {
  return Buffer.from(beginning.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** One record as one line: line ends inside of values stay what they are, as character references. */
function asLine(xml: string): string {
  return xml
    .replace(/>\s*[\r\n]+\s*</g, '><')
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '&#10;')
    .trim();
}

/** The records of a file; one that cannot be read is a line that says so, with its number. */
export async function* evtxLines(file: string): AsyncGenerator<Buffer> {
  const log = await EvtxFile.open(file);
  for (const chunk of log.chunks()) {
    let lastRead = 'none';
    try {
      for (const record of chunk.records()) {
        const number = String(record.recordNum());
        lastRead = number;
        let line: string;
        try {
          line = asLine(record.renderXml());
        } catch (error) {
          line = JSON.stringify({ EventRecordID: number, EvtxFault: (error as Error).message });
        }
        yield Buffer.from(`${line}\n`);
      }
    } catch (error) {
      const EvtxFault = `the rest of a chunk behind record ${lastRead} cannot be read: ${(error as Error).message}`;
      yield Buffer.from(`${JSON.stringify({ EvtxFault })}\n`);
    }
  }
}
