import { Group, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay, IconPlayerStop, IconRotate } from '@tabler/icons-react';
import type { Connector } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { STATE_TONES } from './connector-words.ts';
import { type ConnectorActs, useConnectorActs, useConnectorKinds } from './use-connectors.ts';

type Column = DataColumn<Connector>;
type T = TFunction<'connectors'>;

/** The columns of the list of connectors, with what can be done to one. */
export function useConnectorColumns(mayChange: boolean): readonly Column[] {
  const { t } = useTranslation('connectors');
  const { locale } = useSettings();
  const acts = useConnectorActs();
  const kinds = useConnectorKinds();
  const kindOf = (kind: string) => kinds.data?.data.find((one) => one.kind === kind)?.name ?? kind;
  return [
    warningColumn(t),
    { id: 'name', header: t('columns.name'), width: 240, grows: true, value: ({ name }) => name },
    { id: 'kind', header: t('columns.kind'), width: 200, value: ({ kind }) => kindOf(kind) },
    {
      id: 'state',
      header: t('columns.state'),
      width: 130,
      value: ({ state }) => state,
      cell: ({ state }) => <StateMark tone={STATE_TONES[state]} label={t(`states.${state}`)} />,
    },
    {
      id: 'last',
      header: t('columns.last'),
      width: 165,
      value: (one) => one.last_event ?? 0,
      cell: (one) => (one.last_event === null ? '–' : <TimeStamp time={one.last_event} form="seconds" />),
    },
    {
      id: 'events',
      header: t('columns.events'),
      width: 130,
      align: 'right',
      value: (one) => one.events_24h ?? -1,
      cell: (one) => (one.events_24h === null ? '–' : formatInteger(one.events_24h, locale)),
    },
    ...(mayChange ? [actsColumn(t, acts)] : []),
  ];
}

const warningColumn = (t: T): Column => ({
  id: 'warning',
  header: t('columns.warning'),
  width: 90,
  value: (one) => (problemOf(one) === null ? 0 : 1),
  cell: (one) => {
    const problem = problemOf(one);
    if (problem === null) return null;
    const text = serverText(problem);
    return (
      <Tooltip label={text} multiline maw={420}>
        <IconAlertTriangle size={16} color="var(--mantine-color-error)" role="img" aria-label={text} />
      </Tooltip>
    );
  },
});

/** Why something is wrong with it. */
export function problemOf({ state, reason, validation }: Connector) {
  if (validation.status === 'failed') return validation.reason;
  return state === 'failed' ? reason : null;
}

const actsColumn = (t: T, { setState }: ConnectorActs): Column => ({
  id: 'acts',
  header: t('columns.acts'),
  width: 100,
  cell: (one) => {
    const act = (name: 'start' | 'stop' | 'restart', Icon: typeof IconRotate) => (
      <IconButton
        label={t(`acts.${name}`, { name: one.name })}
        size={24}
        onClick={(event) => {
          // The row itself opens the connector.
          event.stopPropagation();
          setState(one, name);
        }}
      >
        <Icon size={15} />
      </IconButton>
    );
    return (
      <Group gap={2} wrap="nowrap">
        {one.state === 'stopped' ? act('start', IconPlayerPlay) : act('stop', IconPlayerStop)}
        {one.engine === 'push' || one.state === 'stopped' ? null : act('restart', IconRotate)}
      </Group>
    );
  },
});
