import { Tabs } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readPerson } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { AuditTable } from '../audit/public.ts';
import { AccessTree } from './access-tree.tsx';
import { SessionTable } from './session-table.tsx';
import classes from './user-page.module.css';

const TABS = ['profile', 'access', 'sessions', 'activity'] as const;

/** One user: who, what they may reach, where they are signed in, and what they did. */
export function UserPage() {
  const { t } = useTranslation('users');
  const userId = useParams().id ?? '';
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'profile';
  const person = useQuery(callQuery(readPerson, {}, { params: { userId } }));
  const { data } = person;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconUser}
          title={data?.name ?? t('user')}
          parent={
            data
              ? {
                  title: data.organization,
                  to: `/admin/organizations/${encodeURIComponent(data.orgId)}`,
                }
              : undefined
          }
        >
          {data ? (
            <StateMark
              tone={data.status === 'enabled' ? 'good' : 'quiet'}
              label={t(`state.${data.status}`)}
            />
          ) : null}
        </PageHead>
      }
    >
      {person.isLoadingError ? (
        <ErrorPanel error={person.error} onRetry={() => void person.refetch()} />
      ) : null}
      {data ? (
        <Tabs
          value={tab}
          onChange={(value) =>
            setParams(value && value !== 'profile' ? { tab: value } : {}, { replace: true })
          }
          className={classes.tabs}
        >
          <Tabs.List>
            {TABS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tab.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="profile" className={classes.panel}>
            <SettingsPage>
              <SettingsSection title={t('tab.profile')}>
                <FactList
                  facts={[
                    { label: t('email'), value: data.email_id },
                    { label: t('phone'), value: data.phone ?? '–' },
                    {
                      label: t('type'),
                      value: t(`types.${data.root_viewer ? 'root_viewer' : data.user_type}`),
                    },
                    { label: t('organization'), value: data.organization },
                    { label: t('mfa'), value: t(`state.${data.mfa_flag}`) },
                    { label: t('created'), value: <TimeStamp time={data.created} form="longDate" /> },
                    {
                      label: t('lastLogin'),
                      value:
                        data.last_login === null ? '–' : <TimeStamp time={data.last_login} form="longDate" />,
                    },
                    { label: t('id'), value: <span className="mono">{data.user_id}</span> },
                  ]}
                />
              </SettingsSection>
            </SettingsPage>
          </Tabs.Panel>
          <Tabs.Panel value="access" className={classes.panel}>
            <AccessTree access={data.access} />
          </Tabs.Panel>
          <Tabs.Panel value="sessions" className={classes.panel}>
            <SessionTable userId={userId} />
          </Tabs.Panel>
          <Tabs.Panel value="activity" className={classes.fill}>
            <AuditTable user={data.name} />
          </Tabs.Panel>
        </Tabs>
      ) : null}
    </PageLayout>
  );
}
