import { Anchor, Loader } from '@mantine/core';
import {
  IconAdjustments,
  IconAlertTriangle,
  IconAt,
  IconBarrierBlock,
  IconChartHistogram,
  IconCheck,
  IconFlame,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPlugX,
  IconSchema,
  IconUserCheck,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Notification, type NotificationKind, notificationPath } from '@tyrian/contract';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSignedIn } from '../../lib/session-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './notification-menu.module.css';
import { notificationText } from './notification-text.ts';

const ICONS: Readonly<Record<NotificationKind, typeof IconAt>> = {
  critical_signal: IconFlame,
  case_assigned: IconUserCheck,
  case_mention: IconAt,
  rule_failing: IconAlertTriangle,
  rule_quarantined: IconBarrierBlock,
  rule_tuning: IconAdjustments,
  data_model_decided: IconSchema,
  source_silent: IconPlugConnectedX,
  source_back: IconPlugConnected,
  source_volume: IconChartHistogram,
  connector_failed: IconPlugX,
};

interface NotificationListProps {
  readonly list: UseQueryResult<{ data: Notification[]; unread: number }>;
  /** Without ids: all. */
  readonly onRead: (ids?: readonly string[]) => void;
  readonly onClear: () => void;
  /** A page was opened. */
  readonly onLeave: () => void;
}

/** Notifications, newest first; arrow keys move, Enter opens the object. */
export function NotificationList({ list, onRead, onClear, onLeave }: NotificationListProps) {
  const { t } = useTranslation('notifications');
  const box = useRef<HTMLUListElement>(null);
  const rows = list.data?.data;
  if (list.isLoadingError) {
    return <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (!rows) return <Loader size="xs" m="md" />;
  if (rows.length === 0) return <EmptyState kind="nothing-yet" title={t('none')} text={t('noneText')} />;
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const links = [...(box.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  const hasUnread = rows.some((one) => !one.read);
  return (
    <>
      <div className={classes.actions}>
        {hasUnread ? (
          <Anchor component="button" type="button" size="xs" onClick={() => onRead()}>
            {t('readAll')}
          </Anchor>
        ) : null}
        <Anchor component="button" type="button" size="xs" onClick={onClear}>
          {t('clear')}
        </Anchor>
      </div>
      <ul ref={box} className={classes.list} onKeyDown={move}>
        {rows.map((one) => (
          <NotificationRow key={one.notification_id} one={one} onRead={onRead} onLeave={onLeave} />
        ))}
      </ul>
    </>
  );
}

interface NotificationRowProps {
  readonly one: Notification;
  readonly onRead: (ids: readonly string[]) => void;
  readonly onLeave: () => void;
}

function NotificationRow({ one, onRead, onLeave }: NotificationRowProps) {
  const { t } = useTranslation('notifications');
  const { user } = useSignedIn();
  const Icon = ICONS[one.kind];
  const place = [
    one.clusterId === user.clusterId ? null : one.cluster_name,
    one.clusterId === user.clusterId && one.scope_id === user.scope_id ? null : one.scope_name,
  ].filter(Boolean);
  const markRead = () => {
    if (!one.read) onRead([one.notification_id]);
  };
  return (
    <li className={classes.row} data-unread={!one.read || undefined} data-kind={one.kind}>
      <Link
        to={notificationPath(one)}
        className={classes.link}
        onClick={() => {
          markRead();
          onLeave();
        }}
      >
        <Icon size={16} aria-hidden />
        <span className={classes.text}>
          {one.read ? null : <span className="visually-hidden">{t('unread')} </span>}
          {notificationText(t, one)}
          <span className={classes.meta}>
            <TimeStamp time={one.created} form="seconds" />
            {place.length > 0 ? ` · ${place.join(' / ')}` : ''}
          </span>
        </span>
      </Link>
      {one.read ? null : (
        <IconButton label={t('read')} size={24} onClick={markRead}>
          <IconCheck size={14} />
        </IconButton>
      )}
    </li>
  );
}
