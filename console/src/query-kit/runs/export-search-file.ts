import { exportSearch, type InputOf } from '@tyrian/contract';
import { request } from '../../lib/call.ts';

// An export may be larger than memory: where the browser can write to a file, the answer streams into it; where
// it can't, the browser keeps it and then saves it.

interface ExportOptions {
  readonly clusterId: string;
  readonly input: InputOf<typeof exportSearch>;
  readonly fileName: string;
  readonly signal: AbortSignal;
  /** Hears how many bytes have come. */
  readonly onBytes: (bytes: number) => void;
}

interface SaveTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

type PickFile = (options: { suggestedName: string }) => Promise<SaveTarget>;

/** False when the user closed the file dialog; rejects when the server or the disk refused. */
export async function exportSearchFile(options: ExportOptions): Promise<boolean> {
  const pick = (window as { showSaveFilePicker?: PickFile }).showSaveFilePicker;
  const target = pick ? await chooseFile(pick, options.fileName) : null;
  if (target === 'closed') return false;
  const { clusterId, input, signal } = options;
  const response = await request(exportSearch, { params: { clusterId }, input, signal });
  const counted = (response.body ?? new Blob([]).stream()).pipeThrough(byteCounter(options.onBytes));
  if (target) await counted.pipeTo(await target.createWritable(), { signal });
  else saveBlob(await new Response(counted).blob(), options.fileName);
  return true;
}

async function chooseFile(pick: PickFile, suggestedName: string): Promise<SaveTarget | 'closed' | null> {
  try {
    return await pick({ suggestedName });
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'closed' : null;
  }
}

function byteCounter(onBytes: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
}

/** Gives the browser a file to save. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = fileName;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
