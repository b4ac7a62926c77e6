import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';

// Files of events that a person uploads to a source. The sender cuts a file into pieces, each of which can be read by
// itself, and sends one after the other; a piece that is sent again is stored once.

export const UPLOAD_FORMATS = ['lines', 'csv', 'evtx'] as const;
export type UploadFormat = (typeof UPLOAD_FORMATS)[number];

export const UPLOAD_LIMITS = {
  /** Bytes of one piece. */
  pieceBytes: 4 * 1024 * 1024,
  /** Bytes of the body that carries it. */
  bodyBytes: 5 * 1024 * 1024,
} as const;

export const uploadEvents = endpoint({
  name: 'uploads.sendPiece',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/ingest/upload',
  summary:
    'Stores a piece of a file of events in a source, as multipart/form-data: whole lines; rows of CSV behind the row of names; whole chunks of a Windows event log. The same piece of the same upload is stored once for 24 hours.',
  input: z.object({
    scope_id: idSchema,
    source_id: idSchema,
    /** Chosen by the sender, one for each file. */
    upload_id: idSchema,
    /** Position of the piece in the file, from 0. */
    piece: z.coerce.number().int().min(0).max(1_000_000),
    file_name: z.string().max(300).default(''),
    format: z.enum(UPLOAD_FORMATS),
    /** The file part of the form; in JSON, base64. */
    file: z.union([z.base64().min(4).max(480_000), z.instanceof(Uint8Array)]),
  }),
  output: z.object({
    received: z.number().int(),
    stored: z.number().int(),
    /** Records that looked like a known form and could not be read; they are stored too. */
    parse_error: z.number().int(),
    /** Records that no extractor knows; they are stored too. */
    no_extractor: z.number().int(),
    /** The piece was there already. */
    is_repeat: z.boolean(),
  }),
  access: { kind: 'roles', in: 'scope', tags: ['engineer'] },
});
