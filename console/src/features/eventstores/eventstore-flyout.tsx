import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Eventstore, readEventstore } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { FirstRows } from './first-rows.tsx';
import { NamedByList } from './named-by-list.tsx';
import { StoreForm } from './store-form.tsx';
import type { UploadTarget } from './upload-table-dialog.tsx';

interface EventstoreFlyoutProps {
  readonly storeId: string;
  readonly onClose: () => void;
  readonly onUpload: (target: UploadTarget) => void;
}

/** One table: its columns and their types, its first rows, and what names it. */
export function EventstoreFlyout({ storeId, onClose, onUpload }: EventstoreFlyoutProps) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  const read = useQuery(
    callQuery(
      readEventstore,
      { scope_id: scopeId, store_id: storeId },
      { params: { clusterId }, quiet: true },
    ),
  );
  return (
    <DetailFlyout
      title={<span className="mono">{read.data?.store.name ?? t('title')}</span>}
      label={t('tableLabel')}
      onClose={onClose}
    >
      <Answered query={read}>
        {({ store, samples, named_by }) => (
          <Stack gap={16} p={16}>
            <FailedUpload store={store} />
            <StoreLinks store={store} onUpload={onUpload} />
            <StoreForm key={store.revision} store={store} />
            <Title order={3}>{t('firstRows')}</Title>
            <FirstRows
              label={t('firstRows')}
              columns={store.columns.map(({ name }) => name)}
              rows={samples}
            />
            <Title order={3}>{t('usedBy', { count: named_by.length })}</Title>
            <NamedByList users={named_by} />
          </Stack>
        )}
      </Answered>
    </DetailFlyout>
  );
}

function StoreLinks({
  store,
  onUpload,
}: { readonly store: Eventstore } & Pick<EventstoreFlyoutProps, 'onUpload'>) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  return (
    <Group gap={8}>
      <Button
        component={Link}
        variant="default"
        to={`/${clusterId}/${scopeId}/workbook/new?${new URLSearchParams({ query: store.name })}`}
        leftSection={<IconSearch size={14} aria-hidden />}
      >
        {t('openInFind')}
      </Button>
      <Button variant="default" onClick={() => onUpload({ mode: 'append', store })}>
        {t('append')}
      </Button>
      <Button variant="default" onClick={() => onUpload({ mode: 'replace', store })}>
        {t('replace')}
      </Button>
    </Group>
  );
}

function FailedUpload({ store: { upload } }: { readonly store: Eventstore }) {
  const { t } = useTranslation('eventstores');
  if (upload?.state !== 'failed' || upload.message === null) return null;
  return (
    <Alert color="red" variant="light" title={t('uploadFailed', { file: upload.file })}>
      {serverText({ ...upload, message: upload.message })}
    </Alert>
  );
}
