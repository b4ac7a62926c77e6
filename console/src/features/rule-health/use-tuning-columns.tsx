import { Anchor, Button } from '@mantine/core';
import { isPackRuleId, type TuningRequest } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { signalPath } from '../../lib/signal-path.ts';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { rulePath } from './rule-health-words.ts';

type Columns = readonly DataColumn<TuningRequest>[];
type T = TFunction<'rule-health'>;
type Scope = ReturnType<typeof useScope>;

/** The columns of requests to tune rules; engineers close a request there. */
export function useTuningColumns(onClose: (request: TuningRequest) => void): Columns {
  const { t } = useTranslation('rule-health');
  const scope = useScope();
  const { tags } = useSignedIn();
  const isEngineer = tags.includes('engineer');
  return useMemo(
    () => [
      ...whatColumns(t, scope),
      { id: 'by', header: t('tuning.by'), width: 150, value: (one) => one.asked_by },
      {
        id: 'asked',
        header: t('tuning.when'),
        width: 165,
        value: (one) => one.asked,
        cell: (one) => <TimeStamp time={one.asked} form="seconds" />,
      },
      {
        id: 'resolution',
        header: t('tuning.resolution'),
        width: 280,
        value: (one) => one.resolution,
        cell: (one) => {
          if (one.resolved !== null)
            return <span title={one.resolution}>{`${one.resolved_by ?? ''}: ${one.resolution}`}</span>;
          if (!isEngineer) return t('tuning.states.open');
          return (
            <Button size="compact-xs" variant="default" onClick={() => onClose(one)}>
              {t('tuning.resolve')}
            </Button>
          );
        },
      },
    ],
    [t, scope, isEngineer, onClose],
  );
}

/** Which rule, why, and the signal that showed it. */
const whatColumns = (t: T, scope: Scope): Columns => [
  {
    id: 'rule',
    header: t('columns.name'),
    width: 240,
    value: (one) => one.rule_name,
    cell: ({ ID, rule_name }) => (
      <Anchor
        component={Link}
        inherit
        to={rulePath(scope, { ID, kind: isPackRuleId(ID) ? 'pack' : 'workbook' })}
      >
        {rule_name}
      </Anchor>
    ),
  },
  {
    id: 'comment',
    header: t('tuning.comment'),
    width: 340,
    grows: true,
    value: (one) => one.comment,
    cell: (one) => <span title={one.comment}>{one.comment}</span>,
  },
  {
    id: 'signal',
    header: t('tuning.signal'),
    width: 120,
    cell: ({ signal_id }) =>
      signal_id === null ? (
        '–'
      ) : (
        <Anchor component={Link} inherit to={signalPath(scope, signal_id)}>
          {t('tuning.openSignal')}
        </Anchor>
      ),
  },
];
