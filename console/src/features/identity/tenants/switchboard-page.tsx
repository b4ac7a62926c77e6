import { Button, Group, Select, Switch, Table, Text, TextInput } from '@mantine/core';
import { IconToggleLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  listSwitches,
  readBanner,
  SWITCH_NAMES,
  SWITCHES,
  type SwitchName,
  type SwitchRow,
  setSwitch,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { WideTable } from '../../../ui/wide-table.tsx';

/** The switches of the platform: a value for all clusters, and values of clusters that differ. */
export function SwitchboardPage() {
  const { t } = useTranslation('tenants');
  const list = useQuery(callQuery(listSwitches, {}));
  const rows = list.data?.data;
  return (
    <PageLayout scrolls head={<PageHead icon={IconToggleLeft} title={t('switch.title')} />}>
      {list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null}
      <SettingsPage>
        {rows
          ? SWITCH_NAMES.map((name) => (
              <SwitchSection key={name} name={name} rows={rows.filter((row) => row.name === name)} />
            ))
          : null}
      </SettingsPage>
    </PageLayout>
  );
}

interface SwitchSectionProps {
  readonly name: SwitchName;
  readonly rows: readonly SwitchRow[];
}

function SwitchSection({ name, rows }: SwitchSectionProps) {
  const { t } = useTranslation('tenants');
  const { tags } = useSignedIn();
  const mayChange = tags.includes('root');
  return (
    <SettingsSection title={t(`switch.${name}.title`)} help={t(`switch.${name}.help`)}>
      <WideTable label={t(`switch.${name}.title`)} minWidth={320}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('switch.clusters')}</Table.Th>
            <Table.Th>{t('switch.value')}</Table.Th>
            <Table.Th>{t('switch.changed')}</Table.Th>
            <Table.Th aria-label={t('switch.back')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <SwitchLine key={`${row.clusterId}${String(row.value)}`} row={row} mayChange={mayChange} />
          ))}
        </Table.Tbody>
      </WideTable>
      {mayChange ? (
        <OtherCluster name={name} taken={new Set(rows.flatMap((row) => row.clusterId ?? []))} />
      ) : null}
    </SettingsSection>
  );
}

const STALE = [listSwitches, readBanner];

function SwitchLine({ row, mayChange }: { readonly row: SwitchRow; readonly mayChange: boolean }) {
  const { t } = useTranslation('tenants');
  const set = useCallMutation(setSwitch, { stale: STALE });
  const place = row.clusterName ?? t('switch.all');
  const send = (value: boolean | string | null) =>
    set.mutate({ params: { name: row.name }, input: { clusterId: row.clusterId, value } });
  const field = {
    label: t('switch.of', { name: t(`switch.${row.name}.title`), place }),
    mayChange,
    isBusy: set.isPending,
    onChange: send,
  };
  return (
    <Table.Tr>
      <Table.Td>{place}</Table.Td>
      <Table.Td>
        {SWITCHES[row.name].kind === 'flag' ? (
          <Switch
            aria-label={field.label}
            checked={row.value === true}
            disabled={!mayChange || set.isPending}
            onChange={(event) => send(event.currentTarget.checked)}
          />
        ) : (
          <TextValue {...field} value={String(row.value)} />
        )}
      </Table.Td>
      <Table.Td>
        {row.changed === null ? (
          <Text size="xs" c="dimmed">
            {t('switch.default')}
          </Text>
        ) : (
          <>
            <TimeStamp time={row.changed} form="seconds" /> · {row.changed_by}
          </>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {mayChange && !row.is_default ? (
          <Button variant="subtle" color="gray" onClick={() => send(null)}>
            {t('switch.back')}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}

interface TextValueProps {
  readonly label: string;
  readonly value: string;
  readonly mayChange: boolean;
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
}

/** A value that is a text; Save comes with the first change. */
function TextValue({ label, value, mayChange, isBusy, onChange }: TextValueProps) {
  const { t } = useTranslation('tenants');
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(text);
  };
  return (
    <form onSubmit={submit} style={{ display: 'flex', gap: 8 }}>
      <TextInput
        aria-label={label}
        value={text}
        maxLength={300}
        readOnly={!mayChange}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text !== value && mayChange ? (
        <Button type="submit" loading={isBusy}>
          {t('switch.save')}
        </Button>
      ) : null}
    </form>
  );
}

/** Gives one cluster a value of its own. */
function OtherCluster({ name, taken }: { readonly name: SwitchName; readonly taken: ReadonlySet<string> }) {
  const { t } = useTranslation('tenants');
  const { access } = useSignedIn();
  const [clusterId, setClusterId] = useState<string | null>(null);
  const set = useCallMutation(setSwitch, { stale: STALE });
  const free = access.filter((entry) => !taken.has(entry.clusterId));
  if (free.length === 0) return null;
  return (
    <Group gap={8} align="end">
      <Select
        label={t('switch.other')}
        value={clusterId}
        searchable
        onChange={setClusterId}
        data={free.map((entry) => ({ value: entry.clusterId, label: entry.clusterName }))}
      />
      <Button
        variant="default"
        disabled={clusterId === null}
        loading={set.isPending}
        onClick={() =>
          set.mutate(
            { params: { name }, input: { clusterId, value: SWITCHES[name].default } },
            { onSuccess: () => setClusterId(null) },
          )
        }
      >
        {t('switch.add')}
      </Button>
    </Group>
  );
}
