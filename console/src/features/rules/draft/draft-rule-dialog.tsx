import { Alert, Loader, Tabs, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type DraftCondition, type DraftRequest, draftRule, type RuleDraft } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../../lib/format-number.ts';
import { useScope } from '../../../lib/session-store.ts';
import { useSettings } from '../../../lib/settings.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { DraftConditions } from './draft-conditions.tsx';
import { KqlDraft } from './kql-draft.tsx';
import styles from './rule-draft.module.css';
import { SigmaDraft } from './sigma-draft.tsx';

interface DraftRuleDialogProps {
  readonly events: readonly DraftRequest['events'][number][];
  readonly onClose: () => void;
}

/** A rule drafted from events, as Sigma and as KQL; conditions that are left out are verified at once. */
export function DraftRuleDialog({ events, onClose }: DraftRuleDialogProps) {
  const { t } = useTranslation('draft');
  return (
    <Dialog title={t('title', { count: events.length })} size={960} onClose={onClose}>
      <DraftOfEvents events={events} onClose={onClose} />
    </Dialog>
  );
}

function useDraft(events: DraftRuleDialogProps['events']) {
  const { clusterId, scopeId } = useScope();
  const [asked, setAsked] = useState<DraftRequest['conditions']>();
  const input = { scope_id: scopeId, events: [...events], ...(asked ? { conditions: asked } : {}) };
  const query = useQuery({
    ...callQuery(draftRule, input, { params: { clusterId }, keep: true, quiet: true }),
    // A draft reads a day of events: it is not made again because somebody comes back to the tab.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const change = (conditions: readonly DraftCondition[]) =>
    setAsked(conditions.map(({ path, operator, values, is_on }) => ({ path, operator, values, is_on })));
  const isVerifying = query.isFetching && query.data !== undefined;
  // What was just left out is shown so before it is verified.
  const conditions = query.data?.conditions.map((one, at) => ({
    ...one,
    is_on: asked?.[at]?.is_on ?? one.is_on,
  }));
  return { query, change, isVerifying, conditions };
}

function DraftOfEvents({ events, onClose }: DraftRuleDialogProps) {
  const { t } = useTranslation('draft');
  const { query, change, isVerifying, conditions = [] } = useDraft(events);
  const { data, error } = query;
  if (error && !query.isFetching)
    return <ErrorPanel title={t('failed')} error={error} onRetry={() => void query.refetch()} />;
  if (!data)
    return (
      <div className={styles.waiting} role="status">
        <Loader size="sm" />
        <span>{t('drafting', { count: events.length })}</span>
      </div>
    );
  if (data.state === 'nothing-shared')
    return (
      <EmptyState
        kind="nothing-yet"
        title={t('nothingShared')}
        text={t(data.streams.length > 1 ? 'nothingSharedStreams' : 'nothingSharedText', {
          streams: data.streams.join(', '),
        })}
      />
    );
  return (
    <div className={styles.draft} aria-busy={isVerifying}>
      <Compared draft={data} isVerifying={isVerifying} />
      <DraftConditions draft={{ ...data, conditions }} onChange={change} />
      <Drafts draft={data} uids={events.map(({ uid }) => uid)} isBusy={isVerifying} onClose={onClose} />
    </div>
  );
}

interface ComparedProps {
  readonly draft: RuleDraft;
  readonly isVerifying: boolean;
}

/** What the events were compared with. */
function Compared({ draft: { events, compared, streams }, isVerifying }: ComparedProps) {
  const { t } = useTranslation('draft');
  const { locale } = useSettings();
  const others = formatInteger(compared.events, locale);
  const values = { events, others, streams: streams.join(', ') };
  return (
    <Text size="sm" c="dimmed" role="status">
      {isVerifying ? t('verifying') : t(compared.all ? 'compared' : 'comparedPart', values)}
    </Text>
  );
}

interface DraftsProps {
  readonly draft: RuleDraft;
  readonly uids: readonly string[];
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

function Drafts({ draft, uids, isBusy, onClose }: DraftsProps) {
  const { t } = useTranslation('draft');
  const { sigma, kql } = draft;
  const left = draft.conditions.filter(({ is_on, sigma_field }) => is_on && sigma_field === null);
  return (
    <Tabs defaultValue={sigma ? 'sigma' : 'kql'} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="sigma">Sigma</Tabs.Tab>
        <Tabs.Tab value="kql">KQL</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="sigma" pt={12}>
        {sigma ? (
          <SigmaDraft sigma={sigma} leftOut={left} {...{ draft, uids, isBusy, onClose }} />
        ) : (
          <Alert icon={<IconInfoCircle size={16} aria-hidden />} color="gray" variant="light">
            {t(`noSigma.${draft.no_sigma ?? 'no-field'}`)}
          </Alert>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="kql" pt={12}>
        {kql && <KqlDraft kql={kql} {...{ draft, uids, isBusy, onClose }} />}
      </Tabs.Panel>
    </Tabs>
  );
}
