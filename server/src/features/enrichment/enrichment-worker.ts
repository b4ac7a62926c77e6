import { parentPort, workerData } from 'node:worker_threads';
import { packGeoDatabase } from '@tyrian/ingest';
import { readGeoFiles } from './geo-databases.ts';
import { type ContentToPack, packContent } from './pack-content.ts';

// Work that would hold up a server for a second: packing the databases of addresses, and large uploads.

const port = parentPort;
if (port === null) throw new Error('enrichment-worker.ts runs as a worker thread only');

const task = workerData as
  | { readonly kind: 'geo' }
  | { readonly kind: 'content'; readonly content: ContentToPack };
if (task.kind === 'geo') port.postMessage(packGeoDatabase(readGeoFiles()));
else {
  const packed = packContent(task.content);
  port.postMessage(packed, [packed.image.buffer as ArrayBuffer]);
}
