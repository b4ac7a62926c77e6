import { Button, Group, Select, Stack, Table, Textarea } from '@mantine/core';
import {
  changeEventstore,
  EVENTSTORE_TYPES,
  type Eventstore,
  type EventstoreType,
  listEventstores,
  readCatalog,
  readEventstore,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';

type Types = Readonly<Record<string, EventstoreType>>;

/** The description of a table and the types of its columns; both can be changed without a loss. */
export function StoreForm({ store }: { readonly store: Eventstore }) {
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
      <TypeTable
        columns={store.columns}
        types={types}
        onType={(name, type) => setTypes({ ...types, [name]: type })}
      />
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

interface TypeTableProps {
  readonly columns: Eventstore['columns'];
  readonly types: Types;
  readonly onType: (name: string, type: EventstoreType) => void;
}

function TypeTable({ columns, types, onType }: TypeTableProps) {
  const { t } = useTranslation('eventstores');
  return (
    <Table verticalSpacing={4} fz="xs" aria-label={t('columns.columns')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('columns.name')}</Table.Th>
          <Table.Th w={150}>{t('type')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map(({ name, type }) => (
          <Table.Tr key={name}>
            <Table.Td className="mono">{name}</Table.Td>
            <Table.Td>
              <Select
                size="xs"
                aria-label={t('typeOf', { name })}
                data={EVENTSTORE_TYPES}
                value={types[name] ?? type}
                allowDeselect={false}
                onChange={(next) => next && onType(name, next as EventstoreType)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
