import { Alert, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  CONTENT_LIMITS,
  type ItemDecision,
  listDirectories,
  listRulePacks,
  type OutputOf,
  uploadContent,
  usualDecision,
} from '@tyrian/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, call } from '../../lib/call.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ContentItems } from './content-items.tsx';
import { STALE } from './use-decide.ts';

type Report = OutputOf<typeof uploadContent>;
type Decisions = Readonly<Record<string, ItemDecision>>;

interface UploadContentDialogProps {
  readonly file: File;
  readonly onClose: () => void;
}

interface Asked {
  readonly step: 'preview' | 'apply';
  readonly decisions: Decisions;
  readonly pack: string;
  readonly review: boolean;
}

/** Sends the file with what was decided; the same file goes up for the preview and for the rest. */
function useUpload(file: File) {
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const [report, setReport] = useState<Report | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const send = useCallback(
    async ({ step, decisions, pack, review }: Asked) => {
      stop.current?.abort();
      const controller = new AbortController();
      stop.current = controller;
      setBusy(true);
      setError(null);
      const form = new FormData();
      const fields = {
        scope_id: scopeId,
        step,
        file_name: file.name.slice(0, 300),
        pack,
        review: String(review),
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('decisions', JSON.stringify(decisions));
      form.set('file', file, file.name);
      try {
        setReport(await call(uploadContent, { params: { clusterId }, form, signal: controller.signal }));
        if (step === 'apply') await markStale(client, [...STALE, listDirectories, listRulePacks]);
      } catch (thrown) {
        if (controller.signal.aborted) return;
        if (!(thrown instanceof CallError)) throw thrown;
        setError(thrown);
      }
      if (!controller.signal.aborted) setBusy(false);
    },
    [file, clusterId, scopeId, client],
  );
  useEffect(() => () => stop.current?.abort(), []);
  return { report, error, isBusy, send };
}

/** Content that comes in: what is new, changed, clashing and invalid; a choice for each; then what was done. */
export function UploadContentDialog({ file, onClose }: UploadContentDialogProps) {
  const { t } = useTranslation('content');
  const { report, error, isBusy, send } = useUpload(file);
  const [decisions, setDecisions] = useState<Decisions>({});
  const [pack, setPack] = useState('');
  const [review, setReview] = useState(false);
  const isTooLarge = file.size > CONTENT_LIMITS.archiveBytes;
  useEffect(() => {
    if (!isTooLarge) void send({ step: 'preview', decisions: {}, pack: '', review: false });
  }, [send, isTooLarge]);
  const isDone = report?.step === 'apply';
  const chosen = (report?.items ?? []).filter(
    (item) => (decisions[item.item_id] ?? usualDecision(item)) !== 'skip',
  );
  const decide = (ids: readonly string[], decision: ItemDecision) =>
    setDecisions((now) => ({ ...now, ...Object.fromEntries(ids.map((id) => [id, decision])) }));
  const apply = () => void send({ step: 'apply', decisions: allOf(report, decisions), pack, review });
  return (
    <Dialog onClose={onClose} title={t('upload.title', { file: file.name })} size="min(1000px, 96vw)">
      <Stack gap={12}>
        <Problem error={error} isTooLarge={isTooLarge} />
        {isBusy && report === null && <Reading />}
        {report && <ContentItems report={report} decisions={decisions} onDecide={decide} />}
        {report && !isDone && (
          <RuleChoices
            items={report.items}
            pack={pack}
            onPack={setPack}
            onPackDone={() => void send({ step: 'preview', decisions: {}, pack: pack.trim(), review })}
            review={review}
            onReview={setReview}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant={isDone ? 'filled' : 'default'} onClick={onClose}>
            {t(isDone ? 'ui:close' : 'ui:cancel')}
          </Button>
          {report && !isDone && (
            <Button loading={isBusy} disabled={chosen.length === 0} onClick={apply}>
              {t('upload.apply', { count: chosen.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** What is shown is what is sent, also where nobody chose. */
const allOf = (report: Report | null, decisions: Decisions): Decisions =>
  Object.fromEntries(
    (report?.items ?? []).map((item) => [item.item_id, decisions[item.item_id] ?? usualDecision(item)]),
  );

function Reading() {
  const { t } = useTranslation('content');
  return (
    <Group gap={8} role="status">
      <Loader size="xs" />
      <Text size="sm">{t('upload.reading')}</Text>
    </Group>
  );
}

interface RuleChoicesProps {
  readonly items: Report['items'];
  readonly pack: string;
  readonly onPack: (pack: string) => void;
  readonly onPackDone: () => void;
  readonly review: boolean;
  readonly onReview: (review: boolean) => void;
}

/** What is asked about rules: the pack of those in no folder of a pack, and whether they wait for a review. */
function RuleChoices({ items, pack, onPack, onPackDone, review, onReview }: RuleChoicesProps) {
  const { t } = useTranslation('content');
  const rules = items.filter(({ kind }) => kind === 'rule');
  if (rules.length === 0) return null;
  return (
    <>
      {rules.some(({ path }) => !path.startsWith('rules/')) && (
        <TextInput
          label={t('upload.pack')}
          description={t('upload.packHelp')}
          value={pack}
          onChange={(event) => onPack(event.currentTarget.value)}
          onBlur={onPackDone}
          maxLength={120}
        />
      )}
      <Checkbox
        label={t('upload.review')}
        description={t('upload.reviewHelp')}
        checked={review}
        onChange={(event) => onReview(event.currentTarget.checked)}
      />
    </>
  );
}

function Problem({ error, isTooLarge }: { readonly error: CallError | null; readonly isTooLarge: boolean }) {
  const { t } = useTranslation('content');
  if (!error && !isTooLarge) return null;
  const most = CONTENT_LIMITS.archiveBytes / 1024 ** 2;
  return (
    <Alert color="red" variant="light" role="alert">
      {isTooLarge ? t('upload.tooLarge', { most }) : error && serverText(error)}
    </Alert>
  );
}
