import { Drawer, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { MenuEntry, MenuGroup } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router';
import { useMenuNews } from '../features/live/public.ts';
import { APP_VERSION } from '../lib/app-version.ts';
import { scopePath } from '../lib/scope-path.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import classes from './left-menu.module.css';
import { menuIcon } from './menu-icons.ts';
import { menuPages } from './menu-pages.ts';

// The menu that the contract's table gives this role, in its groups. 256 px wide, 56 px collapsed, a drawer on phones.

const GROUPS: readonly MenuGroup[] = ['main', 'system', 'administration'];

interface LeftMenuProps {
  readonly mode: 'full' | 'collapsed' | 'drawer';
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function LeftMenu({ mode, isOpen, onClose }: LeftMenuProps) {
  const { t } = useTranslation('app');
  if (mode !== 'drawer') {
    return (
      <nav
        className={classes.menu}
        data-collapsed={mode === 'collapsed' || undefined}
        aria-label={t('menu.label')}
      >
        <MenuEntries isCollapsed={mode === 'collapsed'} onChoose={() => undefined} />
      </nav>
    );
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="left"
      size={256}
      title={t('menu.label')}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ body: classes.drawer }}
    >
      <nav aria-label={t('menu.label')}>
        <MenuEntries isCollapsed={false} onChoose={onClose} />
      </nav>
    </Drawer>
  );
}

function MenuEntries({
  isCollapsed,
  onChoose,
}: {
  readonly isCollapsed: boolean;
  readonly onChoose: () => void;
}) {
  const { t } = useTranslation('app');
  const session = useSignedIn();
  const entries = menuPages(session);
  const path = activeEntry(entries, useLocation().pathname);
  return (
    <>
      {GROUPS.map((group) => {
        const members = entries.filter((entry) => entry.group === group);
        if (members.length === 0) return null;
        return (
          <MenuGroupList
            key={group}
            group={group}
            members={members}
            active={path}
            isCollapsed={isCollapsed}
            onChoose={onChoose}
          />
        );
      })}
      <div className={classes.version} title={t('about.console')}>
        {APP_VERSION}
      </div>
    </>
  );
}

interface MenuGroupProps {
  readonly group: MenuGroup;
  readonly members: readonly MenuEntry[];
  readonly active: string | null;
  readonly isCollapsed: boolean;
  readonly onChoose: () => void;
}

/** A group of entries. System and Administration are sub-menus that fold; a collapsed menu shows icons alone. */
function MenuGroupList({ group, members, active, isCollapsed, onChoose }: MenuGroupProps) {
  const { t } = useTranslation('app');
  const [folded, setFolded] = useState(() => readStored<boolean>(`prefs.menu.${group}`) ?? false);
  const isFoldable = group !== 'main' && !isCollapsed;
  const isOpen = !isFoldable || !folded;
  const fold = () => {
    setFolded(!folded);
    writeStored(`prefs.menu.${group}`, !folded);
  };
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.group}>
      {isFoldable ? (
        <button type="button" className={classes.caption} aria-expanded={isOpen} onClick={fold}>
          <span className={classes.captionText}>{t(`menu.group.${group}`)}</span>
          <Chevron size={13} aria-hidden />
        </button>
      ) : null}
      {isOpen ? (
        <ul className={classes.list}>
          {members.map((entry) => (
            <li key={entry.name}>
              <MenuLink
                entry={entry}
                isActive={entry.name === active}
                isCollapsed={isCollapsed}
                onChoose={onChoose}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const MOST_NEWS = 99;

interface MenuLinkProps {
  readonly entry: MenuEntry;
  readonly isActive: boolean;
  readonly isCollapsed: boolean;
  readonly onChoose: () => void;
}

function MenuLink({ entry, isActive, isCollapsed, onChoose }: MenuLinkProps) {
  const { t } = useTranslation('app');
  const { user } = useSignedIn();
  const title = t(`menu.${entry.name}`);
  const Icon = menuIcon(entry.name);
  const news = useMenuNews()[entry.name] ?? 0;
  const named = news === 0 ? title : `${title}, ${t('live:menu', { count: news })}`;
  const scope = { clusterId: user.clusterId, scopeId: user.scope_id };
  return (
    <Tooltip label={named} position="right" disabled={!isCollapsed}>
      <NavLink
        to={entry.route.prefix === 'none' ? entry.route.path : scopePath(scope, entry.route.path)}
        className={classes.entry}
        data-active={isActive || undefined}
        aria-current={isActive ? 'page' : undefined}
        aria-label={isCollapsed || news > 0 ? named : undefined}
        onClick={onChoose}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={classes.title}>{title}</span>
        {news > 0 ? (
          <span className={classes.news} aria-hidden>
            {news > MOST_NEWS ? `${MOST_NEWS}+` : news}
          </span>
        ) : null}
      </NavLink>
    </Tooltip>
  );
}

/** The entry whose path is the longest ending of the present one. */
export function activeEntry(entries: readonly MenuEntry[], pathname: string): string | null {
  const matching = entries.filter(({ route: { path } }) => {
    // Find stands at `/workbook/new`, and below that a new workbook, which is none of Find's pages.
    const isInside = entries.some((other) => path.startsWith(`${other.route.path}/`));
    return isInside ? pathname.endsWith(path) : `${pathname}/`.includes(`${path}/`);
  });
  const longest = [...matching].sort((a, b) => b.route.path.length - a.route.path.length)[0];
  return longest?.name ?? null;
}
