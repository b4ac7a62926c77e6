import { Anchor, Indicator, Popover, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { clearNotices, markNoticesRead, noticeList } from '../lib/notify.ts';
import { watchStored } from '../lib/storage.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TimeStamp } from '../ui/time-stamp.tsx';
import classes from './top-bar.module.css';

/** The toasts of late, newest first; opening the list marks them read. */
export function NoticeMenu() {
  const { t } = useTranslation('app');
  const [isOpen, setOpen] = useState(false);
  const notices = useSyncExternalStore(watchStored, noticeList);
  const unread = notices.filter((notice) => !notice.read).length;
  const change = (open: boolean) => {
    if (open && unread > 0) markNoticesRead();
    setOpen(open);
  };
  return (
    <Popover opened={isOpen} onChange={change} position="bottom-end" trapFocus returnFocus>
      <Indicator disabled={unread === 0} size={7} offset={6} color="magenta">
        <Popover.Target>
          <IconButton label={t('notices.title')} onClick={() => change(!isOpen)}>
            <IconBell size={18} />
          </IconButton>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} className={classes.notices} aria-label={t('notices.title')}>
        <div className={classes.noticeHead}>
          {t('notices.title')}
          {notices.length > 0 ? (
            <Anchor component="button" type="button" size="xs" onClick={clearNotices}>
              {t('notices.clear')}
            </Anchor>
          ) : null}
        </div>
        {notices.length === 0 ? (
          <Text className={classes.notice} size="sm" c="dimmed">
            {t('notices.none')}
          </Text>
        ) : null}
        {notices.map((notice) => (
          <div key={notice.id} className={classes.notice}>
            <Text size="sm">{notice.title}</Text>
            {notice.text ? (
              <Text size="xs" c="dimmed">
                {notice.text}
              </Text>
            ) : null}
            <Text size="xs" c="dimmed" component="div">
              <TimeStamp time={notice.time} form="dateTime" />
            </Text>
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
