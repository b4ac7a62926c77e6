import { Button, NumberInput, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readStreamConfig, type StreamConfig, saveStreamConfig } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/call.ts';
import { formatInteger } from '../../../lib/format-number.ts';
import { notify, notifyFailure } from '../../../lib/notify.ts';
import { useSettings } from '../../../lib/settings.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { callQuery, markStale } from '../../../lib/use-call.ts';
import { Answered } from '../../../ui/answered.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { WideTable } from '../../../ui/wide-table.tsx';

interface RetentionTableProps {
  readonly clusterId: string;
  readonly mayChange: boolean;
}

/** How long the events of each stream are kept in the tenant. What a change deletes is counted before it is made. */
export function RetentionTable({ clusterId, mayChange }: RetentionTableProps) {
  const { t } = useTranslation('tenants');
  const config = useQuery(callQuery(readStreamConfig, {}, { params: { clusterId } }));
  return (
    <SettingsPage>
      <SettingsSection title={t('retention.title')} help={t('retention.help')}>
        <Answered query={config}>
          {({ data }) => (
            <WideTable label={t('retention.title')} minWidth={520}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('retention.stream')}</Table.Th>
                  <Table.Th>{t('retention.days')}</Table.Th>
                  <Table.Th>{t('retention.changed')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((line) => (
                  <RetentionRow
                    key={`${line.stream} ${line.retention_days}`}
                    line={line}
                    clusterId={clusterId}
                    mayChange={mayChange}
                  />
                ))}
              </Table.Tbody>
            </WideTable>
          )}
        </Answered>
      </SettingsSection>
    </SettingsPage>
  );
}

function RetentionRow({ line, clusterId, mayChange }: RetentionTableProps & { readonly line: StreamConfig }) {
  const { t } = useTranslation('tenants');
  const { locale } = useSettings();
  const client = useQueryClient();
  const [days, setDays] = useState<number | string>(line.retention_days ?? '');
  const [isBusy, setBusy] = useState(false);
  const name = line.stream || t('retention.all');
  const newDays = days === '' ? null : Number(days);
  const isChanged = newDays !== line.retention_days;
  useUnsavedWork(isChanged);
  const send = async (dry_run: boolean) => {
    const input = { stream: line.stream, retention_days: newDays, dry_run };
    return (await call(saveStreamConfig, { params: { clusterId }, input })).events_to_delete;
  };
  const save = async () => {
    setBusy(true);
    try {
      await send(false);
      notify('done', t('saved'));
      await markStale(client, [readStreamConfig]);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const ask = async () => {
    setBusy(true);
    const lost = await send(true).catch((error: unknown) => {
      notifyFailure(error);
      return null;
    });
    setBusy(false);
    if (lost === null) return;
    if (lost === 0) return void save();
    modals.openConfirmModal({
      title: t('retention.ask', { stream: name }),
      children: (
        <Text size="sm">{t('retention.lost', { count: lost, events: formatInteger(lost, locale) })}</Text>
      ),
      labels: { confirm: t('retention.confirm'), cancel: t('ui:cancel') },
      confirmProps: { color: 'red', size: 'xs' },
      cancelProps: { size: 'xs' },
      closeButtonProps: { 'aria-label': t('ui:close') },
      onConfirm: () => void save(),
    });
  };
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>
        <span style={{ display: 'flex', gap: 8 }}>
          <NumberInput
            aria-label={t('retention.daysOf', { stream: name })}
            w={120}
            min={1}
            max={3650}
            allowDecimal={false}
            placeholder={t('retention.endless')}
            value={days}
            readOnly={!mayChange}
            onChange={setDays}
          />
          {isChanged && mayChange ? (
            <Button loading={isBusy} onClick={() => void ask()}>
              {t('save')}
            </Button>
          ) : null}
        </span>
      </Table.Td>
      <Table.Td>
        {line.changed === null ? (
          '–'
        ) : (
          <>
            <TimeStamp time={line.changed} form="seconds" /> · {line.changed_by}
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
