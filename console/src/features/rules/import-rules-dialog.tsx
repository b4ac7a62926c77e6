import { Autocomplete, Button, Checkbox, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  cancelRuleImport,
  countRules,
  IMPORT_LIMITS,
  listContentUpdates,
  listRuleImports,
  listRulePacks,
  listRules,
  type RuleImport,
  readPackRule,
  readRuleImport,
} from '@tyrian/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery, markStale, useCallMutation } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ImportReport } from './import-report.tsx';
import { PastImports } from './past-imports.tsx';
import styles from './rules.module.css';
import { archiveOf, sendArchive } from './send-archive.ts';

const STALE = [listRules, countRules, listRulePacks, readPackRule, listRuleImports, listContentUpdates];
const LOOK_AGAIN_MS = 1_000;
const OPEN = ['uploading', 'waiting', 'running'];

/** Imports rules into a pack: choose, send, watch, and read what has changed. */
export function ImportRulesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('rules');
  const [importId, setImportId] = useState<string | null>(null);
  return (
    <Dialog onClose={onClose} title={t('import.title')} size="lg">
      {importId === null ? (
        <ChooseRules onStarted={setImportId} onClose={onClose} />
      ) : (
        <WatchImport importId={importId} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChooseRulesProps {
  readonly onStarted: (importId: string) => void;
  readonly onClose: () => void;
}

function useSending(onStarted: (importId: string) => void) {
  const { clusterId, scopeId } = useScope();
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const send = async (files: readonly File[], pack: string, review: boolean) => {
    const controller = new AbortController();
    stop.current = controller;
    setError(null);
    setSent(0);
    try {
      const archive = await archiveOf(files);
      const { signal } = controller;
      onStarted(
        await sendArchive({ clusterId, scopeId, pack, review, archive, signal, onProgress: setSent }),
      );
    } catch (thrown) {
      if (!controller.signal.aborted && thrown instanceof CallError) setError(thrown);
      else if (!controller.signal.aborted) throw thrown;
      setSent(null);
    }
  };
  return { sent, error, send };
}

const nameOf = ({ name, webkitRelativePath }: File): string =>
  (webkitRelativePath.split('/')[0] || name.replace(/\.(tar\.gz|tgz|tar|zip|ya?ml)$/i, '')).slice(0, 120);

function ChooseRules({ onStarted, onClose }: ChooseRulesProps) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const packs =
    useQuery(callQuery(listRulePacks, { scope_id: scopeId }, { params: { clusterId }, quiet: true })).data ??
    [];
  const [pack, setPack] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [review, setReview] = useState(false);
  const { sent, error, send } = useSending(onStarted);
  const [first] = files;
  const most = IMPORT_LIMITS.archiveBytes;
  const isTooLarge = first !== undefined && files.length === 1 && first.size > most;
  const take = (chosen: readonly File[]) => {
    setFiles(chosen);
    if (chosen[0] && pack === '') setPack(nameOf(chosen[0]));
  };
  const problem = isTooLarge ? t('import.tooLarge', { most: most / 1024 ** 2 }) : error && serverText(error);
  return (
    <Stack gap={14}>
      <Text size="sm">{t('import.help')}</Text>
      <FileChoice files={files} onChoose={take} />
      <Autocomplete
        label={t('columns.pack')}
        description={t('import.packHelp')}
        data={packs.map(({ name }) => name)}
        value={pack}
        onChange={setPack}
        maxLength={120}
      />
      <ReviewChoice review={review} onChange={setReview} />
      {problem && (
        <Text size="sm" role="alert">
          {problem}
        </Text>
      )}
      {sent !== null && <Progress value={100 * sent} aria-label={t('import.sending')} />}
      <PastImports onOpen={onStarted} />
      <DialogActions onCancel={onClose}>
        <Button
          disabled={files.length === 0 || pack.trim() === '' || isTooLarge}
          loading={sent !== null}
          onClick={() => void send(files, pack.trim(), review)}
        >
          {t('import.start')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

interface ReviewChoiceProps {
  readonly review: boolean;
  readonly onChange: (review: boolean) => void;
}

function ReviewChoice({ review, onChange }: ReviewChoiceProps) {
  const { t } = useTranslation('rules');
  return (
    <Checkbox
      label={t('import.review')}
      description={t('import.reviewHelp')}
      checked={review}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface FileChoiceProps {
  readonly files: readonly File[];
  readonly onChoose: (files: readonly File[]) => void;
}

/** An archive, a rule, or a folder. */
function FileChoice({ files, onChoose }: FileChoiceProps) {
  const { t } = useTranslation('rules');
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    folder.current?.setAttribute('webkitdirectory', '');
  }, []);
  return (
    <Group gap={8}>
      <FileButton accept=".tar,.gz,.tgz,.zip,.yml,.yaml" onChange={(file) => onChoose(file ? [file] : [])}>
        {(props) => (
          <Button {...props} variant="default" data-autofocus>
            {t('import.archive')}
          </Button>
        )}
      </FileButton>
      <Button variant="default" onClick={() => folder.current?.click()}>
        {t('import.folder')}
      </Button>
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t('import.folder')}
        onChange={(event) => onChoose([...(event.currentTarget.files ?? [])])}
      />
      <Text size="sm" c="dimmed">
        {files.length === 0
          ? t('import.nothing')
          : files.length === 1
            ? files[0]?.name
            : t('import.files', { count: files.length })}
      </Text>
    </Group>
  );
}

function useWatchedImport(importId: string) {
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const input = { scope_id: scopeId, import_id: importId };
  const watched = useQuery({
    ...callQuery(readRuleImport, input, { params: { clusterId }, quiet: true }),
    refetchInterval: ({ state }) => (state.data && !OPEN.includes(state.data.state) ? false : LOOK_AGAIN_MS),
  });
  const { mutate, isPending } = useCallMutation(cancelRuleImport, { stale: [readRuleImport] });
  const hasEnded = watched.data !== undefined && !OPEN.includes(watched.data.state);
  useEffect(() => {
    if (hasEnded) void markStale(client, STALE);
  }, [hasEnded, client]);
  return { watched, hasEnded, isPending, cancel: () => mutate({ params: { clusterId }, input }) };
}

function WatchImport({ importId, onClose }: { readonly importId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('rules');
  const { watched, hasEnded, isPending, cancel } = useWatchedImport(importId);
  return (
    <Answered query={watched}>
      {(found) => (
        <div className={styles.report}>
          {hasEnded ? <ImportReport found={found} /> : <ImportProgress found={found} />}
          <Group justify="flex-end" gap={8}>
            {!hasEnded && (
              <Button variant="default" loading={isPending} onClick={cancel}>
                {t('import.cancel')}
              </Button>
            )}
            <Button variant={hasEnded ? 'filled' : 'default'} onClick={onClose}>
              {t(hasEnded ? 'ui:close' : 'import.behind')}
            </Button>
          </Group>
        </div>
      )}
    </Answered>
  );
}

function ImportProgress({ found }: { readonly found: RuleImport }) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const { files_done, files_total } = found;
  const number = (count: number) => formatInteger(count, locale);
  return (
    <div role="status">
      <Text size="sm" mb={8}>
        {files_total === null
          ? t(`import.states.${found.state}`)
          : t('import.progress', { done: number(files_done), total: number(files_total) })}
      </Text>
      <Progress value={files_total ? (100 * files_done) / files_total : 0} aria-label={t('import.reading')} />
    </div>
  );
}
