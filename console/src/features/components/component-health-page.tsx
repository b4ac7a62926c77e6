import { Alert, Progress } from '@mantine/core';
import { forgetComponent, listComponents } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatBytes, formatCount } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { type ComponentDetail, ComponentFrame } from './component-frame.tsx';
import classes from './component-health-page.module.css';
import { ComponentHour } from './component-hour.tsx';

const LOOK_AGAIN_MS = 5000;

const FLOW_FIGURES = ['eps_in', 'eps_out', 'queue', 'dropped'] as const;
/** Kinds whose figures have words of their own. */
const KINDS: ReadonlySet<string> = new Set(['ingest', 'worker', 'postgres', 'clickhouse']);

/** The key of what a figure is called: events of one kind are rows of another. */
function wordOf(kind: string, figure: string): string {
  const isOfKind = (FLOW_FIGURES as readonly string[]).includes(figure);
  return isOfKind ? `flows.${KINDS.has(kind) ? kind : 'ingest'}.${figure}` : `figures.${figure}`;
}

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
          <Sizes metrics={metrics} />
        </SettingsSection>
      ) : null}
      <Flow component={component} />
      {isPlatform || component.cluster_id !== null ? (
        <SettingsSection title={t('hour')}>
          <ComponentHour minutes={component.minutes} nameOf={(figure) => t(wordOf(component.kind, figure))} />
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

/** Memory and disk in bytes, as far as they are known. */
function Sizes({ metrics }: Pick<ComponentDetail, 'metrics'>) {
  const { t } = useTranslation('components');
  const sizes = [
    ['memoryOwn', metrics.mem_bytes],
    ['diskUsed', metrics.disk_used_bytes],
    ['diskFree', metrics.disk_free_bytes],
  ] as const;
  const known = sizes.flatMap(([name, value]) =>
    value === null ? [] : [{ label: t(name), value: formatBytes(value) }],
  );
  return known.length === 0 ? null : <FactList facts={known} />;
}

/** What goes through the component a second, what waits in it and what it lost; what its kind has not is left out. */
function Flow({ component }: { readonly component: ComponentDetail }) {
  const { t } = useTranslation('components');
  const { kind, metrics } = component;
  const { queue_bytes } = metrics;
  const bytes = queue_bytes ? ` · ${formatBytes(queue_bytes)}` : '';
  const facts = FLOW_FIGURES.flatMap((figure) => {
    const value = metrics[figure];
    if (value === null) return [];
    const shown = `${formatCount(value)}${figure === 'queue' ? bytes : ''}`;
    const isLost = figure === 'dropped' && value > 0;
    return [
      {
        label: t(wordOf(kind, figure)),
        value: isLost ? <strong className={classes.lost}>{shown}</strong> : shown,
      },
    ];
  });
  if (facts.length === 0) return null;
  return (
    <SettingsSection title={t('flow')}>
      <FactList facts={facts} />
    </SettingsSection>
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
