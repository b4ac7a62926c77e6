import { Button, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { askModel, type FieldType, listModelRequests, type ModelRequest } from '@tyrian/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MeaningInputs, PLAIN, TypeSelect } from './model-dialogs.tsx';
import { STALE } from './use-data-model.ts';

const AGAIN_MS = 5_000;

interface RequestFieldProps {
  readonly field: string;
  /** Streams to one of which it may be added. */
  readonly streams: readonly string[];
  /** What needs it. */
  readonly source: string;
  /** It was approved: it is there now. */
  readonly onApproved: () => void;
}

/** The last request for a field of one of the streams. */
function useLastRequest({ field, streams }: Pick<RequestFieldProps, 'field' | 'streams'>) {
  const { clusterId } = useScope();
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  const list = useQuery(callQuery(listModelRequests, {}, extras));
  const isIt = (one: ModelRequest) =>
    one.field.toLowerCase() === field.toLowerCase() && streams.includes(one.stream);
  return list.data?.find(isIt);
}

/** Asks the content managers for a field that is not there, and says what became of that. */
export function RequestField(props: RequestFieldProps) {
  const { field, streams, onApproved } = props;
  const { t } = useTranslation('data-model');
  const [isAsking, setAsking] = useState(false);
  const last = useLastRequest(props);
  const told = useRef(onApproved);
  told.current = onApproved;
  const approvedId = last?.state === 'approved' ? last.request_id : undefined;
  useEffect(() => {
    if (approvedId !== undefined) told.current();
  }, [approvedId]);
  if (!PLAIN.test(field) || streams.length === 0) return null;
  if (last?.state === 'open')
    return (
      <Text span size="xs">
        {t('request.open')}
      </Text>
    );
  return (
    <>
      {last?.state === 'refused' && (
        <Text span size="xs">
          {t('request.refused', { reason: last.reason })}
        </Text>
      )}
      <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
        {t('request.button')}
      </Button>
      {isAsking && <RequestDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

interface RequestDraft {
  readonly stream: string;
  readonly type: FieldType;
  readonly description: string;
  readonly example: string;
}

function useRequestDraft({ field, streams, source }: RequestFieldProps, onDone: () => void) {
  const { t } = useTranslation('data-model');
  const { clusterId, scopeId } = useScope();
  const [first] = useState<RequestDraft>({
    stream: streams[0] ?? '',
    type: 'string',
    description: '',
    example: '',
  });
  const [draft, setDraft] = useState(first);
  const ask = useCallMutation(askModel, { stale: STALE, quiet: true });
  useUnsavedWork(draft !== first && !ask.isSuccess);
  const submit = () => {
    const onSuccess = () => {
      notify('done', t('request.sent', { name: `${draft.stream}.${field}` }));
      onDone();
    };
    const texts = { description: draft.description.trim(), example: draft.example.trim() };
    const input = { scope_id: scopeId, source, wanted: [{ ...draft, ...texts, field }] };
    ask.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  const change = (part: Partial<RequestDraft>) => setDraft((now) => ({ ...now, ...part }));
  return { draft, change, ask, submit };
}

function RequestDialog(props: RequestFieldProps & { readonly onClose: () => void }) {
  const { field, streams, onClose } = props;
  const { t } = useTranslation('data-model');
  const { draft, change, ask, submit } = useRequestDraft(props, onClose);
  return (
    <FormDialog
      title={t('request.title', { name: field })}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('request.button')}
      isBusy={ask.isPending}
      error={ask.error}
    >
      <Text size="sm" c="dimmed">
        {t('request.help')}
      </Text>
      <Select
        label={t('stream')}
        data={[...streams]}
        value={draft.stream}
        allowDeselect={false}
        onChange={(stream) => stream && change({ stream })}
      />
      <TypeSelect value={draft.type} onChange={(type) => change({ type })} />
      <MeaningInputs draft={draft} change={change} />
    </FormDialog>
  );
}
