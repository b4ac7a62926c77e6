import { Button, Group, NumberInput } from '@mantine/core';
import {
  listStreams,
  type ManagedStream,
  readScopeStreamConfig,
  saveScopeStreamConfig,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ImpactReport, useImpact } from './impact-report.tsx';
import styles from './streams.module.css';

/** How long the stream is kept in the scope. Before it is saved it says what goes and which detections go blind. */
export function RetentionForm({ stream }: { readonly stream: ManagedStream }) {
  const { t } = useTranslation('streams');
  const [days, setDays] = useState<number | ''>(stream.retention_days ?? '');
  const [isAsking, setAsking] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="end" wrap="nowrap">
        <NumberInput
          className={styles.grows}
          label={t('retention.label')}
          description={t('retention.help')}
          min={1}
          max={3_650}
          value={days}
          onChange={(next) => setDays(typeof next === 'number' ? next : '')}
        />
        <Button
          type="submit"
          variant="default"
          disabled={(days === '' ? null : days) === stream.retention_days}
        >
          {t('retention.check')}
        </Button>
      </Group>
      {isAsking && (
        <RetentionDialog stream={stream} days={days === '' ? null : days} onClose={() => setAsking(false)} />
      )}
    </form>
  );
}

interface RetentionDialogProps {
  readonly stream: ManagedStream;
  readonly days: number | null;
  readonly onClose: () => void;
}

function RetentionDialog({ stream, days, onClose }: RetentionDialogProps) {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const impact = useImpact({ kind: 'retention', stream: stream.stream, retention_days: days });
  const save = useCallMutation(saveScopeStreamConfig, {
    stale: [listStreams, readScopeStreamConfig],
    quiet: true,
  });
  const onSubmit = () =>
    save.mutate(
      {
        params: { clusterId, scopeId },
        input: { stream: stream.stream, retention_days: days, dry_run: false },
      },
      {
        onSuccess: () => {
          notify('done', t('retention.saved', { stream: stream.stream }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('retention.title', { stream: stream.stream })}
      submitLabel={t('retention.save')}
      isReady={impact.data !== undefined}
      isBusy={save.isPending}
      isDanger={(impact.data?.events_to_delete ?? 0) > 0}
      error={save.error}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <ImpactReport impact={impact} />
    </FormDialog>
  );
}
