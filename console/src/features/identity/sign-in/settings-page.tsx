import { IconSettings } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { SettingsPage as Sections } from '../../../ui/settings-section.tsx';
import { NotificationSection } from '../../notifications/public.ts';
import { PreferenceSection } from '../../preferences/public.ts';
import { FactorSection } from './factor-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionSection } from './session-section.tsx';

/**
 * Everything about oneself: who one is, how the console looks and where it opens, of what one is told, how one signs in,
 * and where one is signed in. `/change-password` is the same page and begins at the password.
 */
export function SettingsPage() {
  const { t } = useTranslation('auth');
  const { pathname } = useLocation();
  return (
    <PageLayout scrolls head={<PageHead icon={IconSettings} title={t('settings.title')} />}>
      <Sections>
        <ProfileSection />
        <PreferenceSection />
        <NotificationSection />
        <PasswordSection isAskedFor={pathname.endsWith('/change-password')} />
        <FactorSection />
        <SessionSection />
      </Sections>
    </PageLayout>
  );
}
