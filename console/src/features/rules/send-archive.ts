import { beginRuleImport, IMPORT_LIMITS, sendRuleImportPart, startRuleImport, tarOf } from '@tyrian/contract';
import { call } from '../../lib/call.ts';

// Files of the user as one archive, and its way to the server in parts.

const RULE_FILE = /\.ya?ml$/i;
/** Events of samples, as SigmaHQ lays them out. */
const SAMPLE_FILE = /(?:^|\/)regression_data\/.*\.json$/i;

/** What was chosen: an archive or a rule as it is, or the rule files of a folder as one archive. */
export async function archiveOf(files: readonly File[]): Promise<Uint8Array> {
  const [first] = files;
  if (first && files.length === 1) return new Uint8Array(await first.arrayBuffer());
  const rules = files.filter(
    (file) => RULE_FILE.test(file.name) || SAMPLE_FILE.test(file.webkitRelativePath),
  );
  const packed = await Promise.all(
    rules.map(async (file) => ({
      path: file.webkitRelativePath || file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  return gzipped(tarOf(packed));
}

async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const AT_ONCE = 0x80_00;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}

interface Sending {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly pack: string;
  readonly archive: Uint8Array;
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Sends the archive and starts its import; answers the id. Throws CallError. */
export async function sendArchive(sending: Sending): Promise<string> {
  const { clusterId, scopeId, pack, archive, signal, onProgress } = sending;
  const params = { clusterId };
  const scope = { scope_id: scopeId };
  const { import_id } = await call(beginRuleImport, { params, input: { ...scope, pack }, signal });
  const { partBytes } = IMPORT_LIMITS;
  for (let part = 0; part * partBytes < archive.length; part += 1) {
    const bytes = base64(archive.subarray(part * partBytes, (part + 1) * partBytes));
    await call(sendRuleImportPart, { params, input: { ...scope, import_id, part, bytes }, signal });
    onProgress(Math.min(1, ((part + 1) * partBytes) / archive.length));
  }
  await call(startRuleImport, { params, input: { ...scope, import_id }, signal });
  return import_id;
}
