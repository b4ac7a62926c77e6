import { Menu, Text } from '@mantine/core';
import {
  IconCheck,
  IconKey,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { LOCALES, type Locale, savePreferences } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { endSession } from '../features/auth/end-session.ts';
import { call } from '../lib/call.ts';
import { LANGUAGE_NAMES } from '../lib/language-names.ts';
import { notifyFailure } from '../lib/notify.ts';
import { placePath } from '../lib/place.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { changeSettings, useSettings } from '../lib/settings.ts';
import { IconButton } from '../ui/icon-button.tsx';

/** Email, change password, theme, language, logout. */
export function UserMenu() {
  const { t } = useTranslation('app');
  const { user, role } = useSignedIn();
  const settings = useSettings();
  const navigate = useNavigate();
  const isDark = settings.theme === 'dark';
  const speak = (locale: Locale) => {
    changeSettings({ locale });
    call(savePreferences, { input: { locale } }).catch(notifyFailure);
  };
  return (
    <Menu position="bottom-end" width={240} transitionProps={{ duration: 300 }}>
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
        <Menu.Item
          leftSection={<IconKey size={15} aria-hidden />}
          onClick={() =>
            void navigate(
              placePath({ clusterId: user.clusterId, scopeId: user.scope_id }, '/change-password'),
            )
          }
        >
          {t('userMenu.changePassword')}
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={15} aria-hidden /> : <IconMoon size={15} aria-hidden />}
          onClick={() => changeSettings({ theme: isDark ? 'light' : 'dark' })}
        >
          {t(isDark ? 'userMenu.light' : 'userMenu.dark')}
        </Menu.Item>
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconLanguage size={15} aria-hidden />}>
              {t('userMenu.language')}
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {LOCALES.map((locale) => (
              <Menu.Item
                key={locale}
                lang={locale}
                onClick={() => speak(locale)}
                rightSection={settings.locale === locale ? <IconCheck size={14} aria-hidden /> : null}
              >
                {LANGUAGE_NAMES[locale]}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} aria-hidden />}
          onClick={() => void endSession('logout')}
        >
          {t('userMenu.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
