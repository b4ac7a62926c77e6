import { useQueryClient } from '@tanstack/react-query';
import { collectionStatus, type OutputOf, type UploadFormat, uploadEvents } from '@tyrian/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError, call } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { cutFile } from './cut-file.ts';

export interface UploadProgress {
  readonly state: 'sending' | 'stopped' | 'failed' | 'done';
  /** Of the file, 0 to 100. */
  readonly percent: number;
  readonly stored: number;
  readonly repeated: number;
  readonly parseError: number;
  readonly noExtractor: number;
  /** Why the server refused a piece, or that the file could not be read. */
  readonly error: CallError | 'unreadable' | null;
}

const BEGUN: UploadProgress = {
  ...{ state: 'sending', percent: 0, stored: 0, repeated: 0, parseError: 0, noExtractor: 0 },
  error: null,
};

/** An id that is the same for the same file, so that an upload that goes on stores only what is missing. */
async function uploadIdOf(file: File, sourceId: string, format: UploadFormat): Promise<string> {
  const said = `${sourceId} ${format} ${file.name} ${file.size} ${file.lastModified}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(said));
  return [...new Uint8Array(digest)]
    .slice(0, 16)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

function formOf(fields: Readonly<Record<string, string>>, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([bytes]), 'piece');
  return form;
}

/** The progress behind a piece. */
function after(
  now: UploadProgress,
  done: OutputOf<typeof uploadEvents>,
  percent: number,
): Partial<UploadProgress> {
  if (done.is_repeat) return { percent, repeated: now.repeated + done.stored };
  return {
    percent,
    stored: now.stored + done.stored,
    parseError: now.parseError + done.parse_error,
    noExtractor: now.noExtractor + done.no_extractor,
  };
}

/** Sends a file piece by piece; stops when asked to, at a failure, and when nobody looks any more. */
export function useUploadEvents(sourceId: string) {
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const send = useCallback(
    async (file: File, format: UploadFormat) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      let now = BEGUN;
      const show = (change: Partial<UploadProgress>) => {
        now = { ...now, ...change };
        if (running.current === controller) setProgress(now);
      };
      show({});
      try {
        const uploadId = await uploadIdOf(file, sourceId, format);
        let piece = 0;
        for await (const { bytes, read } of cutFile(file, format)) {
          const fields = { scope_id: scopeId, source_id: sourceId, upload_id: uploadId, format };
          const form = formOf({ ...fields, piece: String(piece), file_name: file.name.slice(0, 300) }, bytes);
          const done = await call(uploadEvents, { params: { clusterId }, form, signal: controller.signal });
          piece += 1;
          show(after(now, done, Math.floor((100 * read) / Math.max(1, file.size))));
        }
        show({ state: 'done', percent: 100 });
        await markStale(client, [collectionStatus]);
      } catch (thrown) {
        if (controller.signal.aborted) show({ state: 'stopped' });
        else show({ state: 'failed', error: thrown instanceof CallError ? thrown : 'unreadable' });
      }
    },
    [sourceId, clusterId, scopeId, client],
  );
  const stop = useCallback(() => running.current?.abort(), []);
  const forget = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { progress, send, stop, forget };
}
