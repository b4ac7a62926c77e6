import { Text } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, platformState } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import classes from './component-list-page.module.css';
import { HealthDot } from './health-dot.tsx';

const LOOK_AGAIN_MS = 5000;

type Component = OutputOf<typeof platformState>['components'][number];

/** How the engines and the roles of the platform are, as they are now. */
export function ComponentListPage() {
  const { t } = useTranslation('components');
  const state = useQuery(callQuery(platformState, {}, { every: LOOK_AGAIN_MS, quiet: true }));
  const members = (kind: Component['kind']) =>
    state.data?.components.filter((one) => one.kind === kind) ?? [];
  return (
    <PageLayout
      scrolls
      head={
        <PageHead icon={IconCpu} title={t('title')} count={state.data?.version}>
          {state.data ? <HealthDot state={state.data.state} label={t(`state.${state.data.state}`)} /> : null}
        </PageHead>
      }
    >
      {state.isError ? (
        <ErrorPanel error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <div className={classes.page}>
          {(['engine', 'role'] as const).map((kind) => (
            <section key={kind} aria-label={t(`kind.${kind}`)}>
              <h2 className={classes.caption}>{t(`kind.${kind}`)}</h2>
              <ul className={classes.cards}>
                {members(kind).map((one) => (
                  <li key={one.name} className={classes.card}>
                    <div className={classes.name}>{one.name}</div>
                    <HealthDot state={one.state} label={t(`state.${one.state}`)} />
                    {one.detail ? (
                      <Text size="xs" c="dimmed">
                        {one.detail}
                      </Text>
                    ) : null}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </PageLayout>
  );
}
