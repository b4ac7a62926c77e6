import { useQueryClient } from '@tanstack/react-query';
import {
  codedText,
  EVENTSTORE_LIMITS,
  type EventstoreColumn,
  type EventstorePreview,
  listEventstores,
  previewEventstore,
  readCatalog,
  readEventstore,
  say,
  uploadEventstore,
} from '@tyrian/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, call } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import type { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import type { UploadTarget } from './upload-table-dialog.tsx';

interface Asked {
  readonly name?: string;
  readonly description?: string;
  readonly columns?: readonly EventstoreColumn[];
}

type Problem = Parameters<typeof serverText>[0];

function tooLarge(): Problem {
  const most = EVENTSTORE_LIMITS.fileBytes / 1024 ** 2;
  return codedText(say('eventstores.fileTooLarge', { most }));
}

/** One call at a time: a new one gives up the one before it, and so does leaving. */
function useOneAtATime() {
  const [error, setError] = useState<Problem | null>(null);
  const [busy, setBusy] = useState<'reading' | 'sending' | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const during = async (what: 'reading' | 'sending', work: (signal: AbortSignal) => Promise<void>) => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    setBusy(what);
    setError(null);
    try {
      await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    }
    if (!controller.signal.aborted) setBusy(null);
  };
  return { error, setError, busy, during };
}

/** Looks into a file and sends it; the same file goes up for both. */
export function useUpload(target: UploadTarget, onDone: () => void) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<EventstorePreview | null>(null);
  const { error, setError, busy, during } = useOneAtATime();

  const formOf = (chosen: File, fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ scope_id: scopeId, ...fields })) form.set(name, value);
    form.set('file_name', chosen.name.slice(0, 300));
    form.set('file', chosen, chosen.name);
    return form;
  };

  const take = async (chosen: File) => {
    setFile(chosen);
    setPreview(null);
    if (chosen.size > EVENTSTORE_LIMITS.fileBytes) return setError(tooLarge());
    await during('reading', async (signal) => {
      setPreview(await call(previewEventstore, { params: { clusterId }, form: formOf(chosen, {}), signal }));
    });
  };

  const send = async ({ columns, ...asked }: Asked) => {
    if (!file) return;
    await during('sending', async (signal) => {
      const form = formOf(file, {
        mode: target.mode,
        ...(target.mode === 'create' ? {} : { store_id: target.store.store_id }),
        ...asked,
        ...(columns ? { columns: JSON.stringify(columns) } : {}),
      });
      const { state, rows } = await call(uploadEventstore, { params: { clusterId }, form, signal });
      await markStale(client, [listEventstores, readEventstore, readCatalog]);
      notify('done', state === 'done' ? t('upload.done', { count: rows }) : t('upload.begun'));
      onDone();
    });
  };

  return { file, preview, error, isReading: busy === 'reading', isSending: busy === 'sending', take, send };
}
