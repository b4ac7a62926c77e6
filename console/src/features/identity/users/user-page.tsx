import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readPerson } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { callQuery } from '../../../lib/use-call.ts';
import { Answered } from '../../../ui/answered.tsx';
import { EnabledMark } from '../../../ui/enabled-mark.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { AccessTree } from './access-tree.tsx';
import { SessionTable } from './session-table.tsx';

const ORGANIZATIONS = '/admin/organizations/list';

/** One user: who, what they may reach, where they are signed in, and what they did. */
export function UserPage() {
  const { t } = useTranslation('users');
  const userId = useParams().id ?? '';
  const person = useQuery(callQuery(readPerson, {}, { params: { userId } }));
  const { data } = person;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconUser}
          title={data?.name ?? t('user')}
          parents={[
            { title: t('organizations:title'), to: ORGANIZATIONS },
            ...(data
              ? [{ title: data.organization, to: `/admin/organizations/${encodeURIComponent(data.orgId)}` }]
              : []),
          ]}
        >
          {data ? <EnabledMark status={data.status} label={t(`state.${data.status}`)} /> : null}
        </PageHead>
      }
    >
      <Answered query={person}>
        {(one) => (
          <PageTabs
            tabs={[
              { name: 'profile', label: t('tab.profile'), panel: <Profile person={one} /> },
              { name: 'access', label: t('tab.access'), panel: <AccessTree access={one.access} /> },
              { name: 'sessions', label: t('tab.sessions'), panel: <SessionTable userId={userId} /> },
              {
                name: 'activity',
                label: t('tab.activity'),
                fills: true,
                panel: <AuditTable user={one.name} />,
              },
            ]}
          />
        )}
      </Answered>
    </PageLayout>
  );
}

function Profile({ person }: { readonly person: OutputOf<typeof readPerson> }) {
  const { t } = useTranslation('users');
  return (
    <SettingsPage>
      <SettingsSection title={t('tab.profile')}>
        <FactList
          facts={[
            { label: t('email'), value: person.email_id },
            { label: t('phone'), value: person.phone ?? '–' },
            {
              label: t('type'),
              value: t(`types.${person.root_viewer ? 'root_viewer' : person.user_type}`),
            },
            { label: t('organization'), value: person.organization },
            { label: t('mfa'), value: t(`state.${person.mfa_flag}`) },
            { label: t('created'), value: <TimeStamp time={person.created} form="seconds" /> },
            {
              label: t('lastLogin'),
              value: person.last_login === null ? '–' : <TimeStamp time={person.last_login} form="seconds" />,
            },
            { label: t('id'), value: <span className="mono">{person.user_id}</span> },
          ]}
        />
      </SettingsSection>
    </SettingsPage>
  );
}
