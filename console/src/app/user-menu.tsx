import { Menu, Text } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconInfoCircle,
  IconKey,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { LOCALES, type Locale } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { endSession } from '../features/identity/sign-in/end-session.ts';
import { LANGUAGE_NAMES } from '../lib/language-names.ts';
import { changePreferences } from '../lib/preferences.ts';
import { scopePath } from '../lib/scope-path.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { useSettings } from '../lib/settings.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { AboutDialog } from './about-dialog.tsx';
import { TOP_BAR_MENU } from './top-bar-menu.ts';

/** Email, settings, change password, theme, language, about, logout. */
export function UserMenu() {
  const { t } = useTranslation('app');
  const { user, role } = useSignedIn();
  const settings = useSettings();
  const navigate = useNavigate();
  const go = (ending: string) =>
    void navigate(scopePath({ clusterId: user.clusterId, scopeId: user.scope_id }, ending));
  const isDark = settings.theme === 'dark';
  const [isAboutOpen, setAboutOpen] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={240} {...TOP_BAR_MENU}>
        <Menu.Target>
          <IconButton label={t('userMenu.title')}>
            <IconUserCircle size={20} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" c="var(--text)" truncate>
              {user.email}
            </Text>
            {role}
          </Menu.Label>
          <Menu.Divider />
          <Menu.Item leftSection={<IconSettings size={15} aria-hidden />} onClick={() => go('/settings')}>
            {t('userMenu.settings')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={15} aria-hidden />} onClick={() => go('/change-password')}>
            {t('userMenu.changePassword')}
          </Menu.Item>
          <Menu.Item
            leftSection={isDark ? <IconSun size={15} aria-hidden /> : <IconMoon size={15} aria-hidden />}
            onClick={() => changePreferences({ theme: isDark ? 'light' : 'dark' })}
          >
            {t(isDark ? 'userMenu.light' : 'userMenu.dark')}
          </Menu.Item>
          <LanguageItems />
          <Menu.Item
            leftSection={<IconInfoCircle size={15} aria-hidden />}
            onClick={() => setAboutOpen(true)}
          >
            {t('about.title')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={15} aria-hidden />}
            onClick={() => void endSession('logout')}
          >
            {t('userMenu.logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAboutOpen ? <AboutDialog onClose={() => setAboutOpen(false)} /> : null}
    </>
  );
}

/** The languages unfold in the menu itself: a side menu needs a hand that hovers, and room beside it. */
function LanguageItems() {
  const { t } = useTranslation('app');
  const settings = useSettings();
  const [isOpen, setOpen] = useState(false);
  const speak = (locale: Locale) => changePreferences({ locale });
  return (
    <>
      <Menu.Item
        closeMenuOnClick={false}
        aria-expanded={isOpen}
        leftSection={<IconLanguage size={15} aria-hidden />}
        rightSection={
          isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />
        }
        onClick={() => setOpen(!isOpen)}
      >
        {t('userMenu.language')}
      </Menu.Item>
      {isOpen &&
        LOCALES.map((locale) => (
          <Menu.Item
            key={locale}
            lang={locale}
            pl={36}
            onClick={() => speak(locale)}
            rightSection={settings.locale === locale ? <IconCheck size={14} aria-hidden /> : null}
          >
            {LANGUAGE_NAMES[locale]}
          </Menu.Item>
        ))}
    </>
  );
}
