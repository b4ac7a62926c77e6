import { Alert, Progress } from '@mantine/core';
import { forgetComponent, listComponents } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatCount } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { type ComponentDetail, ComponentFrame } from './component-frame.tsx';
import classes from './component-health-page.module.css';

const LOOK_AGAIN_MS = 5000;

/** How one component is: figures against their limits, what waits, what it is. */
export function ComponentHealthPage() {
  return (
    <ComponentFrame page="health" every={LOOK_AGAIN_MS}>
      {(component, scope) => (
        <SettingsPage>
          <Health component={component} isPlatform={scope.tenant === null} />
          {scope.tenant === null && component.state === 'down' && component.hostname !== null ? (
            <Forgetting component={component} listPath={scope.listPath} />
          ) : null}
        </SettingsPage>
      )}
    </ComponentFrame>
  );
}

function Health({
  component,
  isPlatform,
}: {
  readonly component: ComponentDetail;
  readonly isPlatform: boolean;
}) {
  const { t } = useTranslation('components');
  const { metrics, config } = component;
  const count = (value: number | null) => (value === null ? '–' : formatCount(value));
  const time = (value: number | null) => (value === null ? '–' : <TimeStamp time={value} form="seconds" />);
  const machine = [
    { label: t('host'), value: component.hostname ?? '–' },
    { label: t('address'), value: component.local_address ?? '–' },
    { label: t('cluster'), value: component.cluster_name ?? t('allClusters') },
  ];
  return (
    <>
      {component.detail ? (
        <Alert color="gray" variant="light" p={10} role="status">
          {serverText({ ...component, message: component.detail })}
        </Alert>
      ) : null}
      {isPlatform ? (
        <SettingsSection title={t('load')} help={t('loadHelp')}>
          <Load name={t('cpu')} value={metrics.cpu_pct} limit={config.cpu_limit} />
          <Load name={t('memory')} value={metrics.mem_pct} limit={config.memory_limit} />
          <Load name={t('disk')} value={metrics.disk_pct} limit={config.disk_limit} />
        </SettingsSection>
      ) : null}
      {component.type === 'adapter' ? (
        <SettingsSection title={t('flow')}>
          <FactList
            facts={[
              { label: t('eps'), value: count(metrics.eps_in) },
              { label: t('queue'), value: count(metrics.queue) },
              { label: t('dropped'), value: count(metrics.dropped) },
            ]}
          />
        </SettingsSection>
      ) : null}
      <SettingsSection title={t('about')}>
        <FactList
          facts={[
            { label: t('type'), value: t(`types.${component.type}`) },
            { label: t('kind'), value: component.kind },
            { label: t('version'), value: component.version ?? '–' },
            { label: t('seen'), value: time(component.last_seen) },
            { label: t('started'), value: time(component.started) },
            ...(isPlatform ? machine : []),
          ]}
        />
      </SettingsSection>
    </>
  );
}

interface LoadProps {
  readonly name: string;
  readonly value: number | null;
  readonly limit: number;
}

function Load({ name, value, limit }: LoadProps) {
  const { t } = useTranslation('components');
  return (
    <div className={classes.load}>
      <span>{name}</span>
      <Progress
        value={value ?? 0}
        color={(value ?? 0) >= limit ? 'red' : 'var(--chart-1)'}
        aria-label={name}
      />
      <span className="tabular">
        {value === null ? '–' : `${value} %`} {t('ofLimit', { limit })}
      </span>
    </div>
  );
}

/** A role that does not run any more is taken off the list. */
function Forgetting({
  component,
  listPath,
}: {
  readonly component: ComponentDetail;
  readonly listPath: string;
}) {
  const { t } = useTranslation('components');
  const { tags } = useSignedIn();
  const navigate = useNavigate();
  const forget = useCallMutation(forgetComponent, { stale: [listComponents] });
  if (!tags.includes('root')) return null;
  const { type, id, name } = component;
  return (
    <SettingsSection title={t('forget')} help={t('forgetHelp')} isDanger>
      <ConfirmButton
        color="red"
        variant="light"
        w="fit-content"
        loading={forget.isPending}
        title={t('forgetAsk', { name })}
        consequence={t('forgetText')}
        confirmLabel={t('forget')}
        onConfirm={() =>
          forget.mutate({ params: { type, id }, input: {} }, { onSuccess: () => void navigate(listPath) })
        }
      />
    </SettingsSection>
  );
}
