import { type Case, SEVERITIES } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { caseAge, caseAgeMs, secondsText } from './case-age.ts';
import classes from './case-list-page.module.css';
import { CaseStatusLabel } from './case-status.tsx';

type Words = TFunction<'cases'>;

/** The columns of the case list; durations count from `now`. */
export function caseColumns(t: Words, now: number): readonly DataColumn<Case>[] {
  return [...workColumns(t), ...countColumns(t), ...timeColumns(t, now)];
}

/** What it is, how bad, and who works at it. */
function workColumns(t: Words): readonly DataColumn<Case>[] {
  return [
    {
      id: 'case_key',
      header: t('list.key'),
      width: 80,
      value: (one) => keyNumber(one.case_key),
      cell: (one) => <span className={classes.key}>{one.case_key}</span>,
    },
    {
      id: 'case_name',
      header: t('list.name'),
      width: 190,
      grows: true,
      value: (one) => one.case_name,
      cell: (one) => (
        <span className={classes.name} title={one.case_name}>
          {one.case_name}
        </span>
      ),
    },
    {
      id: 'severity',
      header: t('list.severity'),
      width: 112,
      value: (one) => SEVERITIES.length - SEVERITIES.indexOf(one.severity),
      cell: (one) => <SeverityChip severity={one.severity} />,
    },
    {
      id: 'status',
      header: t('list.status'),
      width: 116,
      value: (one) => one.status,
      cell: (one) => <CaseStatusLabel status={one.status} />,
    },
    {
      id: 'handler',
      header: t('list.handler'),
      width: 126,
      value: (one) => one.handler?.name,
      cell: (one) => one.handler?.name ?? <span className={classes.faint}>{t('unassigned')}</span>,
    },
  ];
}

function countColumns(t: Words): readonly DataColumn<Case>[] {
  return [
    {
      id: 'signal_count',
      header: t('list.signals'),
      width: 84,
      align: 'right',
      value: (one) => one.signal_count,
    },
    {
      id: 'artifact_count',
      header: t('list.artifacts'),
      width: 92,
      align: 'right',
      isHidden: true,
      value: (one) => one.artifact_count,
    },
    {
      id: 'risk_score',
      header: t('list.risk'),
      width: 72,
      align: 'right',
      isHidden: true,
      value: (one) => one.risk_score,
    },
  ];
}

/** Since when, how soon it was taken and how soon it was solved. */
function timeColumns(t: Words, now: number): readonly DataColumn<Case>[] {
  return [
    {
      id: 'age',
      header: t('list.age'),
      width: 92,
      align: 'right',
      value: (one) => caseAgeMs(one, now),
      cell: (one) => caseAge(one, now),
    },
    {
      id: 'tta_seconds',
      header: t('list.tta'),
      width: 86,
      align: 'right',
      value: (one) => one.tta_seconds,
      cell: (one) => secondsText(one.tta_seconds),
    },
    {
      id: 'ttr_seconds',
      header: t('list.ttr'),
      width: 76,
      align: 'right',
      value: (one) => one.ttr_seconds,
      cell: (one) => secondsText(one.ttr_seconds),
    },
    {
      id: 'created',
      header: t('list.created'),
      width: 160,
      value: (one) => one.created,
      cell: (one) => <TimeStamp time={one.created} form="seconds" />,
    },
  ];
}

function keyNumber(key: string): number {
  return Number(key.split('-').at(-1)) || 0;
}
