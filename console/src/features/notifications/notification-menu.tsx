import { Indicator, Popover } from '@mantine/core';
import { IconBell, IconSettings } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useKeySequence } from '../../lib/use-key-sequence.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { NotificationList } from './notification-list.tsx';
import classes from './notification-menu.module.css';
import { NOTIFICATIONS_ANCHOR } from './notification-section.tsx';
import { RecentMessages } from './recent-messages.tsx';
import { useNotifications } from './use-notifications.ts';

const TABS = ['notifications', 'messages'] as const;
type Tab = (typeof TABS)[number];

const MOST_SHOWN = 99;
const WIDTH = 'min(400px, calc(100vw - 16px))';

/** The bell: what the user should know of, unread first to count, each with the way to its object. */
export function NotificationMenu() {
  const { t } = useTranslation('notifications');
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState<Tab>('notifications');
  const notifications = useNotifications(isOpen);
  const { unread, list } = notifications;
  const label = unread === 0 ? t('title') : t('titleUnread', { count: unread });
  const change = (open: boolean) => {
    if (open) setTab('notifications');
    setOpen(open);
  };
  // `g b`: the bell, from wherever the keyboard is.
  useKeySequence('g', (key) => {
    if (key === 'b') change(true);
    return key === 'b';
  });
  return (
    <>
      <Popover opened={isOpen} onChange={change} position="bottom-end" width={WIDTH} trapFocus returnFocus>
        <Indicator
          disabled={unread === 0}
          label={unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
          size={16}
          offset={7}
          color="magenta"
          classNames={{ indicator: classes.count }}
        >
          <Popover.Target>
            <IconButton label={label} onClick={() => change(!isOpen)}>
              <IconBell size={18} />
            </IconButton>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown p={0} className={classes.menu} aria-label={t('title')}>
          <Head tab={tab} onTab={setTab} onLeave={() => setOpen(false)} />
          {tab === 'notifications' ? (
            <NotificationList
              list={list}
              onRead={notifications.markRead}
              onClear={notifications.clear}
              onLeave={() => setOpen(false)}
            />
          ) : (
            <RecentMessages />
          )}
        </Popover.Dropdown>
      </Popover>
      <span role="status" className="visually-hidden">
        {unread === 0 ? '' : t('titleUnread', { count: unread })}
      </span>
    </>
  );
}

interface HeadProps {
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** A page was opened. */
  readonly onLeave: () => void;
}

/** What the menu shows, and the way to its settings. */
function Head({ tab, onTab, onLeave }: HeadProps) {
  const { t } = useTranslation('notifications');
  const navigate = useNavigate();
  const scope = useScope();
  const openSettings = () => {
    onLeave();
    void navigate(scopePath(scope, `/settings#${NOTIFICATIONS_ANCHOR}`));
  };
  return (
    <div className={classes.head}>
      <div className={classes.tabs} role="tablist" aria-label={t('title')}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={tab === name}
            onClick={() => onTab(name)}
          >
            {t(`tab.${name}`)}
          </button>
        ))}
      </div>
      <IconButton label={t('settings.open')} size={26} onClick={openSettings}>
        <IconSettings size={16} />
      </IconButton>
    </div>
  );
}
