import { Anchor, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { clearNotices, noticeList } from '../../lib/notify.ts';
import { watchStored } from '../../lib/storage.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './notification-menu.module.css';

/** The toasts of late in this browser, newest first: what the user's own acts were answered with. */
export function RecentMessages() {
  const { t } = useTranslation('notifications');
  const notices = useSyncExternalStore(watchStored, noticeList);
  if (notices.length === 0) {
    return (
      <Text className={classes.message} size="sm" c="dimmed">
        {t('noMessages')}
      </Text>
    );
  }
  return (
    <>
      <div className={classes.actions}>
        <Anchor component="button" type="button" size="xs" onClick={clearNotices}>
          {t('clear')}
        </Anchor>
      </div>
      <ul className={classes.list}>
        {notices.map((notice) => (
          <li key={notice.id} className={classes.message}>
            <Text size="sm">{notice.title}</Text>
            {notice.text ? (
              <Text size="xs" c="dimmed">
                {notice.text}
              </Text>
            ) : null}
            <Text size="xs" c="dimmed" component="div">
              <TimeStamp time={notice.time} form="seconds" />
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
