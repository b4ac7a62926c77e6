import { useTranslation } from 'react-i18next';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { NotificationSettings } from './notification-settings.tsx';

/** Ends the address of the settings page at this part. */
export const NOTIFICATIONS_ANCHOR = 'notifications';

/** The part of the settings page that says of what the user is told. */
export function NotificationSection() {
  const { t } = useTranslation('notifications');
  return (
    <SettingsSection title={t('title')} help={t('settings.help')} anchor={NOTIFICATIONS_ANCHOR}>
      <NotificationSettings />
    </SettingsSection>
  );
}
