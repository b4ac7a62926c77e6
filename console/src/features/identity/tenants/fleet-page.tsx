import { Tooltip } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ClusterState, type FleetItem, listFleet } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { scopePath } from '../../../lib/scope-path.ts';
import { serverText } from '../../../lib/server-text.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { StateMark, type StateTone } from '../../../ui/state-mark.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { ConnectButton } from './connect-dialog.tsx';

const LOOK_AGAIN_MS = 30_000;
const PAGE_SIZE = 1000;

/** Why its engine is not reached, in the reader's language. */
export const problemText = (
  one: Pick<FleetItem, 'problem' | 'messageCode' | 'messageValues'>,
): string | null => one.problem && serverText({ ...one, message: one.problem });

export const STATE_TONES: Readonly<Record<ClusterState, StateTone>> = {
  active: 'good',
  connected: 'quiet',
  agreement: 'warn',
  expired: 'bad',
  unreachable: 'bad',
};

/** Mission Control: every cluster with its state, licence and volume. */
export function FleetPage() {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const navigate = useNavigate();
  const [query, setQuery] = useAddressParam('q');
  const list = useQuery(
    callQuery(listFleet, { pageno: 1, pagesize: PAGE_SIZE, query }, { keep: true, every: LOOK_AGAIN_MS }),
  );
  const columns = useMemo(() => fleetColumns(t), [t]);
  const { clusterId, scope_id: scopeId } = session.user;
  const open = (id: string) =>
    void navigate(scopePath({ clusterId, scopeId }, `/admin/clusters/configure/${encodeURIComponent(id)}`));
  return (
    <ListFrame
      icon={IconRocket}
      title={t('fleet.title')}
      name="fleet"
      list={list}
      columns={columns}
      rowId={(one) => one.clusterId}
      onOpen={(one) => open(one.clusterId)}
      query={query}
      onQuery={setQuery}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      emptyText={t('noneText')}
      noMatch={t('noMatch')}
      actions={
        session.tags.includes('root') ? (
          <ConnectButton purpose="connect" label={t('connect.open')} onConnected={open} />
        ) : null
      }
    />
  );
}

type Words = (key: string) => string;

function fleetColumns(t: Words): readonly DataColumn<FleetItem>[] {
  return [...clusterColumns(t), ...volumeColumns(t)];
}

/** What a cluster is and how it does. */
function clusterColumns(t: Words): readonly DataColumn<FleetItem>[] {
  return [
    { id: 'name', header: t('name'), width: 180, grows: true, value: (one) => one.clusterName },
    {
      id: 'state',
      header: t('fleet.state'),
      width: 184,
      value: (one) => t(`state.${one.state}`),
      cell: (one) => (
        <Tooltip label={problemText(one)} disabled={!one.problem} multiline maw={360}>
          <span>
            <StateMark tone={STATE_TONES[one.state]} label={t(`state.${one.state}`)} />
          </span>
        </Tooltip>
      ),
    },
    { id: 'type', header: t('type'), width: 120, value: (one) => t(`productType.${one.productType}`) },
    { id: 'licence', header: t('licence'), width: 110, value: (one) => t(`licenceType.${one.licenseType}`) },
    { id: 'organization', header: t('organization'), width: 160, value: (one) => one.primary_org },
    { id: 'scopes', header: t('scopes'), width: 80, align: 'right', value: (one) => one.scope_count },
    { id: 'users', header: t('users'), width: 80, align: 'right', value: (one) => one.user_count },
  ];
}

/** How much it holds, since when nothing came, and where it lies. */
function volumeColumns(t: Words): readonly DataColumn<FleetItem>[] {
  return [
    {
      id: 'events',
      header: t('fleet.events'),
      width: 110,
      align: 'right',
      value: (one) => one.events_24h,
      cell: (one) => (one.events_24h === null ? '–' : formatCount(one.events_24h)),
    },
    {
      id: 'disk',
      header: t('fleet.disk'),
      width: 110,
      align: 'right',
      value: (one) => one.disk_bytes,
      cell: (one) => (one.disk_bytes === null ? '–' : formatBytes(one.disk_bytes)),
    },
    {
      id: 'last',
      header: t('fleet.last'),
      width: 164,
      value: (one) => one.last_event,
      cell: (one) => (one.last_event === null ? '–' : <TimeStamp time={one.last_event} form="seconds" />),
    },
    {
      id: 'engine',
      header: t('fleet.engine'),
      width: 220,
      isHidden: true,
      value: (one) => one.engine_url ?? t('connect.platform'),
    },
  ];
}
