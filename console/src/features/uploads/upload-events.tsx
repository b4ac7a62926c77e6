import { Alert, Button, FileInput, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { collectionStatus, UPLOAD_FORMATS, type UploadFormat } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CallProblem } from '../../ui/form-problem.tsx';
import { formatOf } from './cut-file.ts';
import { type UploadProgress, useUploadEvents } from './use-upload-events.ts';

interface UploadEventsProps {
  /** The source that the events are stored in; '' as long as none is chosen. */
  readonly sourceId: string;
  readonly onSource: (sourceId: string) => void;
  readonly onClose: () => void;
}

/** An engineer's upload of a file of events to a source, with its progress and what became of the records. */
export function UploadEvents({ sourceId, onSource, onClose }: UploadEventsProps) {
  const { t } = useTranslation('uploads');
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<UploadFormat>('lines');
  const sources = useOpenSources();
  const source = sources.open?.find((one) => one.source_id === sourceId)?.source_id ?? null;
  const { progress, send, stop, forget } = useUploadEvents(sourceId);
  const isSending = progress?.state === 'sending';
  const pick = (picked: File | null) => {
    forget();
    setFile(picked);
    if (picked) setFormat(formatOf(picked.name));
  };
  const choose = (id: string) => {
    forget();
    onSource(id);
  };
  return (
    <Dialog onClose={onClose} title={t('title')}>
      <Stack gap={12}>
        <CallProblem error={sources.error} />
        <SourceChoice sources={sources.open} source={source} onSource={choose} isFixed={isSending} />
        <FileInput
          {...{ label: t('pick'), description: t('help'), placeholder: t('pick') }}
          {...{ value: file, onChange: pick, disabled: isSending }}
        />
        <FormatChoice format={format} onFormat={setFormat} isFixed={isSending || file === null} />
        {progress && <UploadState progress={progress} />}
        <Buttons
          state={progress?.state ?? null}
          onStop={stop}
          onClose={onClose}
          onSend={file && source !== null ? () => void send(file, format) : null}
        />
      </Stack>
    </Dialog>
  );
}

interface ButtonsProps {
  /** Null: nothing was sent yet. */
  readonly state: UploadProgress['state'] | null;
  readonly onStop: () => void;
  readonly onClose: () => void;
  /** Null as long as file or source is missing. */
  readonly onSend: (() => void) | null;
}

function Buttons({ state, onStop, onClose, onSend }: ButtonsProps) {
  const { t } = useTranslation('uploads');
  const isSending = state === 'sending';
  const isDone = state === 'done';
  return (
    <Group justify="flex-end" gap={8}>
      {isSending ? (
        <Button variant="default" onClick={onStop}>
          {t('stop')}
        </Button>
      ) : (
        <Button variant={isDone ? 'filled' : 'default'} onClick={onClose}>
          {t(isDone ? 'ui:close' : 'ui:cancel')}
        </Button>
      )}
      {!isDone && (
        <Button loading={isSending} disabled={onSend === null} onClick={() => onSend?.()}>
          {t(state === null || isSending ? 'send' : 'again')}
        </Button>
      )}
    </Group>
  );
}

/** The sources of the scope that take events in; undefined as long as they are not known. */
function useOpenSources() {
  const { clusterId, scopeId } = useScope();
  const all = useQuery(
    callQuery(collectionStatus, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
  return { open: all.data?.sources.filter((one) => one.revoked_ms === null), error: all.error };
}

interface SourceChoiceProps {
  readonly sources: ReturnType<typeof useOpenSources>['open'];
  readonly source: string | null;
  readonly onSource: (sourceId: string) => void;
  readonly isFixed: boolean;
}

/** Which source the events are stored in, or that there is none yet. */
function SourceChoice({ sources, source, onSource, isFixed }: SourceChoiceProps) {
  const { t } = useTranslation('uploads');
  return (
    <>
      <Select
        {...{ label: t('source'), placeholder: t('chooseSource') }}
        data={sources?.map(({ source_id, source_name }) => ({ value: source_id, label: source_name })) ?? []}
        value={source}
        onChange={(value) => value !== null && onSource(value)}
        searchable
        nothingFoundMessage={t('noMatch')}
        allowDeselect={false}
        disabled={isFixed || !sources?.length}
      />
      {sources?.length === 0 && (
        <Alert color="gray" variant="light" p={10}>
          {t('noSources')}
        </Alert>
      )}
    </>
  );
}

interface FormatChoiceProps {
  readonly format: UploadFormat;
  readonly onFormat: (format: UploadFormat) => void;
  readonly isFixed: boolean;
}

/** The format of the file, which its name has guessed. */
function FormatChoice({ format, onFormat, isFixed }: FormatChoiceProps) {
  const { t } = useTranslation('uploads');
  return (
    <Select
      label={t('format')}
      data={UPLOAD_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
      value={format}
      onChange={(value) => onFormat((value ?? 'lines') as UploadFormat)}
      allowDeselect={false}
      disabled={isFixed}
    />
  );
}

/** How far the upload is, and what became of the records. */
function UploadState({ progress }: { readonly progress: UploadProgress }) {
  const { t } = useTranslation('uploads');
  const { state, percent, stored, repeated, parseError, noExtractor, error } = progress;
  const notes = [
    repeated > 0 ? t('repeat', { count: repeated }) : '',
    parseError > 0 ? t('parseError', { count: parseError }) : '',
    noExtractor > 0 ? t('noExtractor', { count: noExtractor }) : '',
  ].filter((note) => note !== '');
  return (
    <Stack gap={6}>
      <Progress value={percent} aria-label={t('progress')} color={state === 'failed' ? 'red' : 'accent'} />
      <Text size="sm" role="status">
        {state === 'done' ? t('done', { stored }) : t('counting', { percent, stored })}
      </Text>
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
      {state === 'stopped' && <Text size="sm">{t('stopped')}</Text>}
      {error && (
        <Alert color="red" variant="light" role="alert">
          {error === 'unreadable' ? t('unreadable') : serverText(error)}
        </Alert>
      )}
    </Stack>
  );
}
