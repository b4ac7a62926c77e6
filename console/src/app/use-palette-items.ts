import {
  IconBook2,
  IconBuildings,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconLink,
  IconLogout,
  IconMoon,
  IconNotes,
  IconRowInsertBottom,
  IconSearch,
  IconServer2,
  IconSettings,
  IconStack2,
  IconSun,
} from '@tabler/icons-react';
import { DENSITIES, LOCALES, routeByName } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { toggleNotesPanel } from '../features/cases/notes-panel-store.ts';
import type { PaletteItem } from '../features/global-search/palette-item.ts';
import { endSession } from '../features/identity/sign-in/end-session.ts';
import { chooseScope } from '../features/identity/sign-in/switch-scope.ts';
import { hasSecurityRole, mayOpen } from '../lib/landing.ts';
import { LANGUAGE_NAMES } from '../lib/language-names.ts';
import { changePreferences } from '../lib/preferences.ts';
import { scopePath } from '../lib/scope-path.ts';
import { type Session, useSignedIn } from '../lib/session-store.ts';
import { useSettings } from '../lib/settings.ts';
import { kqlString } from '../query-kit/editor/kql-literal.ts';
import { EMPTY_LINK, writeSearchLink } from '../query-kit/runs/search-link.ts';
import { copyText } from '../ui/copy-text.ts';
import { menuIcon } from './menu-icons.ts';
import { menuPages } from './menu-pages.ts';
import { GO_KEYS } from './use-global-keys.ts';

// What the palette offers without asking the server: the pages of the menu, actions, and the tenants and scopes of the user.

/** Pages and actions: shown before anything is typed. */
export function useFixedItems(showKeys: () => void): readonly PaletteItem[] {
  const session = useSignedIn();
  const current = scopeOf(session);
  const navigate = useNavigate();
  const { t } = useTranslation('app');
  const keyOf = (page: string) => Object.entries(GO_KEYS).find(([, target]) => target.page === page)?.[0];
  const pages = menuPages(session).map((entry): PaletteItem => {
    const key = keyOf(entry.name);
    return {
      id: `page-${entry.name}`,
      group: 'pages',
      title: t(`menu.${entry.name}`),
      ...(key ? { hint: `g ${key}` } : {}),
      icon: menuIcon(entry.name),
      run: () =>
        void navigate(
          entry.route.prefix === 'none' ? entry.route.path : scopePath(current, entry.route.path),
        ),
    };
  });
  return [...pages, ...useActions(session, showKeys)];
}

function useActions(session: Session, showKeys: () => void): readonly PaletteItem[] {
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  const { theme, locale, density } = useSettings();
  const isDark = theme === 'dark';
  const action = (
    id: string,
    title: string,
    icon: PaletteItem['icon'],
    run: () => void,
    words = '',
  ): PaletteItem => ({ id: `action-${id}`, group: 'actions', title, icon, run, words });
  return [
    action('keys', t('keys.title'), IconKeyboard, showKeys),
    action('link', t('palette.copyLink'), IconLink, () => void copyText(window.location.href)),
    ...(hasSecurityRole(session) ? [action('notes', t('palette.notes'), IconNotes, toggleNotesPanel)] : []),
    action('theme', t(isDark ? 'userMenu.light' : 'userMenu.dark'), isDark ? IconSun : IconMoon, () =>
      changePreferences({ theme: isDark ? 'light' : 'dark' }),
    ),
    ...DENSITIES.filter((one) => one !== density).map((one) =>
      action(
        `density-${one}`,
        t('palette.density', { density: t(`ui:table.densities.${one}`) }),
        IconRowInsertBottom,
        () => changePreferences({ density: one }),
      ),
    ),
    ...LOCALES.filter((one) => one !== locale).map((one) =>
      action(
        `language-${one}`,
        LANGUAGE_NAMES[one],
        IconLanguage,
        () => changePreferences({ locale: one }),
        t('userMenu.language'),
      ),
    ),
    action(
      'settings',
      t('userMenu.settings'),
      IconSettings,
      () => void navigate(scopePath(scopeOf(session), '/settings')),
      t('palette.settingsWords'),
    ),
    action(
      'password',
      t('userMenu.changePassword'),
      IconKey,
      () => void navigate(scopePath(scopeOf(session), '/change-password')),
    ),
    action('reference', t('palette.reference'), IconBook2, () => {
      window.open('/reference', '_blank', 'noopener');
    }),
    action('logout', t('userMenu.logout'), IconLogout, () => void endSession('logout')),
  ];
}

/** The clusters and scopes of the user, and the tenants that an administrator may open. */
export function useScopeItems(): readonly PaletteItem[] {
  const session = useSignedIn();
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  const here = scopeOf(session);
  const isOpenable = mayOpen(session, 'tenant') && routeByName('tenant').built;
  return session.access.flatMap((cluster): PaletteItem[] => [
    ...(isOpenable
      ? [
          {
            id: `tenant-${cluster.clusterId}`,
            group: 'places' as const,
            title: cluster.clusterName,
            hint: t('palette.openTenant'),
            icon: IconBuildings,
            run: () => void navigate(`/admin/tenants/${encodeURIComponent(cluster.clusterId)}`),
          },
        ]
      : []),
    ...cluster.scope_access
      .filter((scope) => scope.is_enabled && scope.scope_id !== here.scopeId)
      .map((scope) => ({
        id: `scope-${scope.scope_id}`,
        group: 'places' as const,
        title: `${cluster.clusterName} / ${scope.scope_name}`,
        hint: t('palette.changePlace'),
        icon: cluster.clusterId === here.clusterId ? IconStack2 : IconServer2,
        run: () => void chooseScope({ clusterId: cluster.clusterId, scopeId: scope.scope_id }),
      })),
  ]);
}

/** The way from what was typed to the events that hold it. */
export function useEventItem(typed: string): readonly PaletteItem[] {
  const session = useSignedIn();
  const navigate = useNavigate();
  const { t } = useTranslation('app');
  const text = typed.trim();
  if (text === '' || !mayOpen(session, 'find')) return [];
  const link = writeSearchLink({ ...EMPTY_LINK, query: `search ${kqlString(text)}`, from: 'now-24h' });
  return [
    {
      id: 'events',
      group: 'events',
      title: t('palette.events', { text }),
      icon: IconSearch,
      run: () => void navigate(`${scopePath(scopeOf(session), '/workbook/new')}?${link}`),
    },
  ];
}

function scopeOf(session: Session) {
  return { clusterId: session.user.clusterId, scopeId: session.user.scope_id };
}
