import { Badge } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ApiToken } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import classes from './token-list-page.module.css';

type Words = TFunction<'tokens'>;

/** What a token is for, when and whence it was used, who made it. */
export function tokenColumns(t: Words, onDelete: (token: ApiToken) => void): readonly DataColumn<ApiToken>[] {
  return [...purposeColumns(t), ...lifeColumns(t), deleteColumn(t, onDelete)];
}

function purposeColumns(t: Words): readonly DataColumn<ApiToken>[] {
  return [
    { id: 'app', header: t('column.app'), value: (token) => token.app_name, width: 180 },
    {
      id: 'description',
      header: t('column.description'),
      value: (token) => token.description,
      width: 140,
      grows: true,
    },
    {
      id: 'capabilities',
      header: t('column.capabilities'),
      value: (token) => token.capabilities.join(' '),
      width: 220,
      cell: (token) => (
        <span className={classes.chips}>
          {token.capabilities.map((one) => (
            <Badge key={one} variant="default" size="sm" tt="none" fw={400}>
              {t(`capability.${one.replace('.', '_')}`)}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (token) => token.prefix,
      width: 140,
      cell: (token) => <code className={classes.prefix}>{token.prefix}…</code>,
    },
  ];
}

function lifeColumns(t: Words): readonly DataColumn<ApiToken>[] {
  return [
    {
      id: 'expires',
      header: t('column.expires'),
      value: (token) => token.expires,
      width: 160,
      cell: ({ expires }) =>
        expires !== null && expires < Date.now() ? t('expired') : <Stamp time={expires} />,
    },
    {
      id: 'used',
      header: t('column.used'),
      value: (token) => token.last_used,
      width: 160,
      cell: (token) => <Stamp time={token.last_used} />,
    },
    {
      id: 'address',
      header: t('column.address'),
      value: (token) => token.last_address,
      width: 120,
      isHidden: true,
    },
    { id: 'by', header: t('column.by'), value: (token) => token.created_by, width: 120 },
    {
      id: 'created',
      header: t('column.created'),
      value: (token) => token.created,
      width: 160,
      cell: (token) => <Stamp time={token.created} />,
    },
  ];
}

function deleteColumn(t: Words, onDelete: (token: ApiToken) => void): DataColumn<ApiToken> {
  return {
    id: 'actions',
    header: t('column.actions'),
    width: 60,
    cell: (token) => (
      <IconButton
        label={t('delete.label', { name: token.app_name })}
        size={24}
        onClick={() => onDelete(token)}
      >
        <IconTrash size={14} />
      </IconButton>
    ),
  };
}

function Stamp({ time }: { readonly time: number | null }) {
  return time === null ? '–' : <TimeStamp time={time} form="seconds" />;
}
