import { type InputOf, type OutputOf, say, UPLOAD_LIMITS, uploadEvents } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { IngestService } from '../ingest/ingest-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { csvLines } from './csv-lines.ts';
import { evtxLines, isEvtx } from './evtx-lines.ts';

// Files of events that a person uploads to a source, piece by piece. Each piece is acknowledged like a batch of a sender.

interface UploadsDeps {
  readonly ingest: IngestService;
  readonly sources: Pick<SourceService, 'findById'>;
  readonly audit: AuditService;
}

type Piece = InputOf<typeof uploadEvents>;
type Counts = OutputOf<typeof uploadEvents>;

interface Who {
  readonly caller: { readonly userId: string; readonly name: string };
  readonly clusterId: string;
  readonly address: string;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The piece as lines that the ordinary decoders read. */
async function linesOf({ file, format, piece }: Piece): Promise<Buffer> {
  const bytes = typeof file === 'string' ? Buffer.from(file, 'base64') : Buffer.from(file);
  if (bytes.length > UPLOAD_LIMITS.pieceBytes) throw new AppError('bad-input', say('uploads.pieceTooLarge'));
  if (format === 'lines') return bytes;
  if (format === 'evtx' && piece === 0 && !isEvtx(bytes))
    throw new AppError('bad-input', say('uploads.noEventLog'));
  const parts: Buffer[] = [];
  try {
    const lines = format === 'csv' ? csvLines(once(bytes)) : evtxLines(once(bytes));
    for await (const line of lines) parts.push(line);
  } catch (error) {
    throw new AppError('bad-input', say('uploads.unreadable', { reason: (error as Error).message }));
  }
  return Buffer.concat(parts);
}

async function takePiece(
  { ingest, sources, audit }: UploadsDeps,
  { caller, clusterId, address }: Who,
  piece: Piece,
): Promise<Counts> {
  const source = await sources.findById(clusterId, piece.source_id);
  if (source === null || source.scopeId !== piece.scope_id) throw notFound();
  const body = await linesOf(piece);
  const { scopeId, sourceId, sourceName } = source;
  const target = { clusterId, scopeId, sourceId, sourceName, sourceAddress: address };
  const key = `upload ${piece.upload_id} ${piece.piece}`;
  const { outcome, answered } = await ingest.receive(target, { format: 'lines', body, key });
  if (outcome.kind === 'key-reused') throw new AppError('conflict', say('ingest.keyReused'));
  if (outcome.kind === 'fault')
    throw new AppError('bad-input', say('ingest.fault', { fault: outcome.fault.message }));
  if (outcome.kind === 'in-progress') throw new AppError('unavailable', say('ingest.beingStored'));
  const { counts } = outcome.report;
  const { received = 0, stored = 0, parse_error = 0, no_extractor = 0 } = counts;
  await audit.record({
    ...{ action: 'source.upload', who: caller, source: address, clusterId, scopeId, entity: sourceId },
    details: { file: piece.file_name, upload: piece.upload_id, piece: piece.piece, received, stored },
  });
  await answered(true);
  return { received, stored, parse_error, no_extractor, is_repeat: outcome.isRepeat };
}

/** Uploads of files of events. */
export function uploadsFeature(deps: UploadsDeps): RoutedFeature {
  return {
    register: (app) =>
      bindEndpoint(
        app,
        uploadEvents,
        ({ caller, clusterId, input, request }) =>
          takePiece(deps, { caller, clusterId, address: request.ip }, input),
        { bodyLimit: UPLOAD_LIMITS.bodyBytes },
      ),
  };
}
