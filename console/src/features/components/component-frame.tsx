import { Button } from '@mantine/core';
import { IconCpu, IconHeartbeat, IconSettings } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type OutputOf, readComponent, readTenantComponent } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { CallError } from '../../lib/call.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { STATE_TONES } from './component-list-page.tsx';
import { type ComponentScope, useComponentScope } from './use-component-scope.ts';

export type ComponentDetail = OutputOf<typeof readComponent>;

interface ComponentFrameProps {
  readonly page: 'health' | 'configure';
  readonly every?: number;
  readonly children: (component: ComponentDetail, scope: ComponentScope) => ReactNode;
}

/** Head and loading of the pages of one component. */
export function ComponentFrame({ page, every, children }: ComponentFrameProps) {
  const { t } = useTranslation('components');
  const scope = useComponentScope();
  const { type = '', id = '' } = useParams();
  const extras = { every, quiet: true };
  const component = useQuery(
    scope.tenant === null
      ? callQuery(readComponent, {}, { ...extras, params: { type, id } })
      : callQuery(readTenantComponent, {}, { ...extras, params: { clusterId: scope.tenant, type, id } }),
  ) as UseQueryResult<ComponentDetail, CallError>;
  const { data } = component;
  const other = page === 'health' ? 'configure' : 'health';
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconCpu}
          title={data?.name ?? id}
          parents={[{ title: t('title'), to: scope.listPath }]}
          actions={
            data ? (
              <Button
                variant="default"
                component={Link}
                to={scope.pathOf(data, other)}
                leftSection={
                  other === 'health' ? (
                    <IconHeartbeat size={14} aria-hidden />
                  ) : (
                    <IconSettings size={14} aria-hidden />
                  )
                }
              >
                {t(other)}
              </Button>
            ) : null
          }
        >
          {data ? <StateMark tone={STATE_TONES[data.state]} label={t(`states.${data.state}`)} /> : null}
        </PageHead>
      }
    >
      {component.isLoadingError ? (
        <ErrorPanel error={component.error} onRetry={() => void component.refetch()} />
      ) : null}
      {data ? children(data, scope) : null}
    </PageLayout>
  );
}
