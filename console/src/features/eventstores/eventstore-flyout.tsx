import { Alert, Anchor, Button, Group, Select, Stack, Table, Text, Textarea, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  changeEventstore,
  EVENTSTORE_TYPES,
  type Eventstore,
  type EventstoreType,
  listEventstores,
  type NamedBy,
  readCatalog,
  readEventstore,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { CallProblem } from '../../ui/form-problem.tsx';
import { SampleTable } from './sample-table.tsx';
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
            <StoreForm key={store.revision} store={store} />
            <Title order={3}>{t('firstRows')}</Title>
            <SampleTable
              label={t('firstRows')}
              columns={store.columns.map(({ name }) => name)}
              rows={samples}
            />
            <Title order={3}>{t('usedBy', { count: named_by.length })}</Title>
            <UserList users={named_by} />
          </Stack>
        )}
      </Answered>
    </DetailFlyout>
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

function StoreForm({ store }: { readonly store: Eventstore }) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  const [description, setDescription] = useState(store.description);
  const [types, setTypes] = useState<Readonly<Record<string, EventstoreType>>>({});
  const save = useCallMutation(changeEventstore, {
    stale: [listEventstores, readEventstore, readCatalog],
    quiet: true,
  });
  const isDirty = description !== store.description || Object.keys(types).length > 0;
  useUnsavedWork(isDirty && !save.isSuccess);
  const submit = () => {
    const { store_id, revision } = store;
    const chosen = Object.entries(types).map(([name, type]) => ({ name, type }));
    const input = { scope_id: scopeId, store_id, revision, description: description.trim(), types: chosen };
    save.mutate({ params: { clusterId }, input }, { onSuccess: () => notify('done', t('saved')) });
  };
  return (
    <Stack gap={12}>
      <CallProblem error={save.error} />
      <Textarea
        label={t('description')}
        value={description}
        maxLength={2000}
        autosize
        minRows={1}
        maxRows={6}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Table verticalSpacing={4} fz="xs" aria-label={t('columns.columns')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('columns.name')}</Table.Th>
            <Table.Th w={150}>{t('type')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {store.columns.map(({ name, type }) => (
            <Table.Tr key={name}>
              <Table.Td className="mono">{name}</Table.Td>
              <Table.Td>
                <Select
                  size="xs"
                  aria-label={t('typeOf', { name })}
                  data={EVENTSTORE_TYPES}
                  value={types[name] ?? type}
                  allowDeselect={false}
                  onChange={(next) => next && setTypes((now) => ({ ...now, [name]: next as EventstoreType }))}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isDirty && (
        <Group justify="flex-end">
          <Button onClick={submit} loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function UserList({ users }: { readonly users: readonly NamedBy[] }) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  if (users.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('unused')}
      </Text>
    );
  const pathOf = ({ kind, id }: NamedBy): string | null =>
    kind === 'workbook'
      ? `/${clusterId}/${scopeId}/workbook/view/${id}`
      : kind === 'rule'
        ? `/${clusterId}/${scopeId}/rules/${id}`
        : null;
  return (
    <Stack gap={4}>
      {users.map((user) => {
        const path = pathOf(user);
        return (
          <Group key={`${user.kind} ${user.id}`} gap={8} wrap="nowrap">
            <Text size="sm" c="dimmed" miw={90}>
              {t(`kinds.${user.kind}`)}
            </Text>
            {path === null ? (
              <Text size="sm">{user.name}</Text>
            ) : (
              <Anchor size="sm" component={Link} to={path}>
                {user.name}
              </Anchor>
            )}
          </Group>
        );
      })}
    </Stack>
  );
}
