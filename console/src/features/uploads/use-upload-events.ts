import { useQueryClient } from '@tanstack/react-query';
import { collectionStatus, type UploadFormat, uploadEvents } from '@tyrian/contract';
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
          const form = new FormData();
          const fields = { scope_id: scopeId, source_id: sourceId, upload_id: uploadId, format };
          for (const [name, value] of Object.entries(fields)) form.set(name, value);
          form.set('piece', String(piece));
          form.set('file_name', file.name.slice(0, 300));
          form.set('file', new Blob([bytes]), 'piece');
          const done = await call(uploadEvents, { params: { clusterId }, form, signal: controller.signal });
          piece += 1;
          show({
            percent: Math.floor((100 * read) / Math.max(1, file.size)),
            ...(done.is_repeat
              ? { repeated: now.repeated + done.stored }
              : {
                  stored: now.stored + done.stored,
                  parseError: now.parseError + done.parse_error,
                  noExtractor: now.noExtractor + done.no_extractor,
                }),
          });
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
