import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../../lib/session-store.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { SettingsSection } from '../../../ui/settings-section.tsx';

/** Who one is here; an administrator of the organization changes it. */
export function ProfileSection() {
  const { t } = useTranslation('auth');
  const { user, role, cluster, scope } = useSignedIn();
  const place = [cluster?.clusterName, scope?.scope_name].filter(Boolean).join(' / ');
  return (
    <SettingsSection title={t('settings.profile')} help={t('settings.profileHelp')}>
      <FactList
        facts={[
          { label: t('settings.name'), value: user.name },
          { label: t('signIn.email'), value: user.email },
          { label: t('settings.role'), value: role },
          { label: t('settings.place'), value: place || null },
        ]}
      />
    </SettingsSection>
  );
}
