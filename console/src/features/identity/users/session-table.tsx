import { Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { endSessions, listSessions, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { WideTable } from '../../../ui/wide-table.tsx';

/** Where a user is signed in; each session can be ended. */
export function SessionTable({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const sessions = useQuery(callQuery(listSessions, { user_id: userId }));
  const end = useCallMutation(endSessions, { stale: [listSessions] });
  if (sessions.isLoadingError) {
    return <ErrorPanel error={sessions.error} onRetry={() => void sessions.refetch()} />;
  }
  const rows = sessions.data?.data ?? [];
  if (sessions.data && rows.length === 0) return <EmptyState kind="nothing-yet" title={t('noSessions')} />;
  const stop = (ids: string[]) =>
    end.mutate(
      { input: { user_id: userId, session_ids: ids } },
      { onSuccess: ({ ended }) => notify('done', t('ended', { count: ended })) },
    );
  return (
    <WideTable label={t('tab.sessions')} minWidth={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('session.begun')}</Table.Th>
          <Table.Th>{t('session.seen')}</Table.Th>
          <Table.Th>{t('session.source')}</Table.Th>
          <Table.Th>{t('session.method')}</Table.Th>
          <Table.Th>{t('session.agent')}</Table.Th>
          <Table.Th ta="right">
            <ConfirmButton
              variant="default"
              title={t('session.endAllAsk')}
              consequence={t('session.endAllText')}
              confirmLabel={t('session.endAll')}
              onConfirm={() => stop(rows.map((one) => one.session_id))}
            />
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((one) => (
          <SessionRow
            key={one.session_id}
            one={one}
            isEnding={end.isPending}
            onEnd={() => stop([one.session_id])}
          />
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

interface SessionRowProps {
  readonly one: OutputOf<typeof listSessions>['data'][number];
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ one, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation('users');
  const ways = [one.method, one.second_factor].flatMap((kind) =>
    kind ? [t(`session.methods.${kind}`)] : [],
  );
  return (
    <Table.Tr>
      <Table.Td>
        <TimeStamp time={one.created} form="seconds" />
      </Table.Td>
      <Table.Td>
        <TimeStamp time={one.last_seen} form="seconds" />
      </Table.Td>
      <Table.Td className="mono">{one.source}</Table.Td>
      <Table.Td>{ways.join(' + ')}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{one.user_agent}</Table.Td>
      <Table.Td ta="right">
        {one.is_current ? (
          t('session.this')
        ) : (
          <Button variant="default" loading={isEnding} onClick={onEnd}>
            {t('session.end')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
