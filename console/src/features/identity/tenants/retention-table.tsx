import { Button, NumberInput, Table } from '@mantine/core';
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
import { askToConfirm } from '../../../ui/confirm-button.tsx';
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

interface RetentionRowProps extends RetentionTableProps {
  readonly line: StreamConfig;
}

function RetentionRow({ line, clusterId, mayChange }: RetentionRowProps) {
  const { t } = useTranslation('tenants');
  const [days, setDays] = useState<number | string>(line.retention_days ?? '');
  const name = line.stream || t('retention.all');
  const newDays = days === '' ? null : Number(days);
  const isChanged = newDays !== line.retention_days;
  useUnsavedWork(isChanged);
  const { ask, isBusy } = useRetention(clusterId, line.stream, newDays);
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

/** Saves how long events are kept (`null`: for ever), and asks first where that deletes some. */
function useRetention(clusterId: string, stream: string, retention_days: number | null) {
  const { t } = useTranslation('tenants');
  const { locale } = useSettings();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  /** Events that it deletes, or would; null when it failed, which is then told. */
  const send = async (dry_run: boolean): Promise<number | null> => {
    setBusy(true);
    const input = { stream, retention_days, dry_run };
    const answer = call(saveStreamConfig, { params: { clusterId }, input });
    return answer
      .then(({ events_to_delete }) => events_to_delete)
      .catch((error: unknown) => {
        notifyFailure(error);
        return null;
      })
      .finally(() => setBusy(false));
  };
  const save = async () => {
    if ((await send(false)) === null) return;
    notify('done', t('saved'));
    await markStale(client, [readStreamConfig]);
  };
  const ask = async () => {
    const lost = await send(true);
    if (lost === null) return;
    if (lost === 0) return void save();
    askToConfirm({
      title: t('retention.ask', { stream: stream || t('retention.all') }),
      consequence: t('retention.lost', { count: lost, events: formatInteger(lost, locale) }),
      confirmLabel: t('retention.confirm'),
      onConfirm: () => void save(),
    });
  };
  return { ask, isBusy };
}
