import { Alert, Button, Text } from '@mantine/core';
import { IconFileCode, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react';
import { type CollectedSource, deleteCollection, listCollection } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { formatWholeDuration } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { SourceBalance } from './source-balance.tsx';
import { DescriptionForm, SilenceForm } from './source-forms.tsx';
import styles from './sources.module.css';
import { UnparsedEvents } from './unparsed-events.tsx';
import { Status } from './use-collection-columns.tsx';

interface SourceFlyoutProps {
  readonly source: CollectedSource;
  readonly onClose: () => void;
}

/** One source: what it is, its balance by time, what was rejected and why, what no extractor read. */
export function SourceFlyout({ source, onClose }: SourceFlyoutProps) {
  const { t } = useTranslation('sources');
  const { tags } = useSignedIn();
  const mayEdit = source.source_id !== null && (tags.includes('engineer') || tags.includes('tenant-admin'));
  return (
    <DetailFlyout
      title={<span className={styles.title}>{source.source}</span>}
      label={t('source')}
      actions={<CopyButton value={source.source} />}
      onClose={onClose}
    >
      <div className={styles.body}>
        {source.notice && <Alert color="yellow">{source.notice}</Alert>}
        <Actions source={source} onClose={onClose} />
        <Facts source={source} />
        {mayEdit && <DescriptionForm source={source} />}
        {mayEdit && !source.is_revoked && <SilenceForm source={source} />}
        {source.source_id === null ? (
          <Text size="sm" c="dimmed">
            {t('namedHelp')}
          </Text>
        ) : (
          <SourceBalance sourceId={source.source_id} />
        )}
        {tags.includes('engineer') && <UnparsedEvents source={source.source} />}
      </div>
    </DetailFlyout>
  );
}

const kqlText = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function Actions({ source, onClose }: SourceFlyoutProps) {
  const { t } = useTranslation('sources');
  const scope = useScope();
  const { tags } = useSignedIn();
  const query = `Events\n| where SourceName == ${kqlText(source.source)}`;
  const find = `/workbook/new?${new URLSearchParams({ query, from: 'now-24h', to: 'now' })}`;
  const extract = `/system/extraction/new?${new URLSearchParams({ source: source.source })}`;
  const isSecurity = tags.includes('engineer') || tags.includes('analyst');
  return (
    <div className={styles.row}>
      {isSecurity && (
        <Button
          variant="default"
          component={Link}
          to={scopePath(scope, find)}
          leftSection={<IconSearch size={14} aria-hidden />}
        >
          {t('showEvents')}
        </Button>
      )}
      {tags.includes('engineer') && source.unparsed_24h > 0 && (
        <Button
          variant="default"
          component={Link}
          to={scopePath(scope, extract)}
          leftSection={<IconFileCode size={14} aria-hidden />}
        >
          {t('makeExtractor')}
        </Button>
      )}
      {tags.includes('engineer') && source.source_id !== null && !source.is_revoked && (
        <Button
          variant="default"
          component={Link}
          to={scopePath(scope, `/system/connectors?${new URLSearchParams({ upload: source.source_id })}`)}
          leftSection={<IconUpload size={14} aria-hidden />}
        >
          {t('upload')}
        </Button>
      )}
      {tags.includes('tenant-admin') && <DeleteButton source={source} onClose={onClose} />}
    </div>
  );
}

function DeleteButton({ source, onClose }: SourceFlyoutProps) {
  const { t } = useTranslation('sources');
  const { clusterId, scopeId } = useScope();
  const remove = useCallMutation(deleteCollection, { stale: [listCollection] });
  const id = source.source_id;
  if (id === null || source.status === 'active') return null;
  return (
    <ConfirmButton
      variant="default"
      leftSection={<IconTrash size={14} aria-hidden />}
      loading={remove.isPending}
      title={t('deleteTitle', { source: source.source })}
      consequence={t('deleteText')}
      confirmLabel={t('delete')}
      onConfirm={() =>
        remove.mutate(
          { params: { clusterId }, input: { scope_id: scopeId, source_id: id } },
          {
            onSuccess: () => {
              notify('done', t('deleted', { source: source.source }));
              onClose();
            },
          },
        )
      }
    />
  );
}

function Facts({ source }: { readonly source: CollectedSource }) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const time = (stamp: number | null) => (stamp === null ? '–' : <TimeStamp time={stamp} form="seconds" />);
  const facts = [
    { label: t('columns.status'), value: <Status source={source} t={t} /> },
    { label: t('columns.kind'), value: t(`kinds.${source.kind}`, { defaultValue: source.kind }) },
    { label: t('columns.lastEvent'), value: time(source.last_event) },
    { label: t('columns.events'), value: formatInteger(source.events_24h, locale) },
    { label: t('columns.extractors'), value: source.extractors.join(', ') || '–' },
    { label: t('columns.streams'), value: source.streams.join(', ') || '–' },
  ];
  if (source.source_id === null) return <FactList facts={facts} />;
  const silence = source.silence_s === 0 ? t('never') : formatWholeDuration(source.silence_s * 1000);
  const origin = t(`silence.${originOf(source)}`);
  return (
    <FactList
      facts={[
        ...facts,
        { label: t('proofs'), value: source.proofs.join(', ') || '–' },
        { label: t('columns.silence'), value: `${silence} · ${origin}` },
        ...(source.silent_since === null
          ? []
          : [{ label: t('silentSince'), value: time(source.silent_since) }]),
        { label: t('columns.created'), value: time(source.created) },
        { label: t('createdBy'), value: source.created_by ?? '–' },
      ]}
    />
  );
}

function originOf({ silence_set_s, silence_learned_s }: CollectedSource): 'set' | 'learned' | 'usual' {
  if (silence_set_s !== null) return 'set';
  return silence_learned_s === null ? 'usual' : 'learned';
}
