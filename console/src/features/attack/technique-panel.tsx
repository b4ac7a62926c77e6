import { Anchor, Badge, Skeleton, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  attackAddress,
  type OutputOf,
  subtechniqueData,
  subtechniqueNames,
  techniqueData,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './attack.module.css';
import { type AttackLink, type ChangeAttackLink, filtersOf } from './attack-link.ts';
import { StateGlyph, StateWord } from './state-glyph.tsx';
import { TechniqueRules } from './technique-rules.tsx';
import { TechniqueSignals } from './technique-signals.tsx';

const LOOK_AGAIN_MS = 60_000;
const ACTORS_SHOWN = 40;

interface TechniquePanelProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly onClose: () => void;
}

type Technique = OutputOf<typeof techniqueData>;

/** One technique: its state, the rules behind it, what each lacks, its signals over time, and who uses it. */
export function TechniquePanel({ link, change, onClose }: TechniquePanelProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const id = link.technique;
  const found = useQuery(
    callQuery(
      techniqueData,
      { scope_id: scopeId, technique_id: id },
      { params: { clusterId }, quiet: true, every: LOOK_AGAIN_MS },
    ),
  );
  const technique = found.data;
  return (
    <DetailFlyout
      label={t('panel.label')}
      title={technique ? `${technique.id} ${technique.name}` : id}
      onClose={onClose}
    >
      <div className={styles.panel}>
        {found.isPending && <Skeleton height={180} />}
        {found.isLoadingError && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
        {technique && (
          <>
            <Summary technique={technique} change={change} />
            <Tabs defaultValue={link.view === 'signals' ? 'signals' : 'rules'} mt={12}>
              <Tabs.List>
                <Tabs.Tab value="rules">{t('panel.rules', { total: technique.total })}</Tabs.Tab>
                <Tabs.Tab value="signals">{t('panel.signals')}</Tabs.Tab>
                <Tabs.Tab value="about">{t('panel.about')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="rules" pt={10}>
                <TechniqueRules technique={technique} />
              </Tabs.Panel>
              <Tabs.Panel value="signals" pt={10}>
                <TechniqueSignals id={id} first={link.days} />
              </Tabs.Panel>
              <Tabs.Panel value="about" pt={10}>
                <About technique={technique} link={link} change={change} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </div>
    </DetailFlyout>
  );
}

function Summary({
  technique,
  change,
}: {
  readonly technique: Technique;
  readonly change: ChangeAttackLink;
}) {
  const { t } = useTranslation('attack');
  const { parent, state, active, blind, total } = technique;
  return (
    <div className={styles.stack}>
      {parent && (
        <Text size="sm">
          {t('panel.parent')}{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => change({ technique: parent.id })}>
            {parent.id} {parent.name}
          </Anchor>
        </Text>
      )}
      <StateWord state={state} />
      <Text size="sm">{t(`meanings.${state}`)}</Text>
      <FactList
        facts={[
          { label: t('panel.active'), value: active },
          { label: t('panel.blind'), value: blind },
          { label: t('panel.total'), value: total },
        ]}
      />
    </div>
  );
}

interface AboutProps extends Pick<TechniquePanelProps, 'link' | 'change'> {
  readonly technique: Technique;
}

function About({ technique, link, change }: AboutProps) {
  const { t } = useTranslation('attack');
  const address = attackAddress(technique.id);
  const shown = technique.actors.slice(0, ACTORS_SHOWN);
  return (
    <div className={styles.stack}>
      <FactList
        isStacked
        facts={[
          { label: t('filters.tactic'), value: technique.tactics.join(', ') },
          { label: t('filters.platform'), value: technique.platforms.join(', ') },
          {
            label: 'MITRE',
            value: (
              <Anchor href={address} target="_blank" rel="noreferrer noopener" size="sm">
                {address}
              </Anchor>
            ),
          },
        ]}
      />
      {technique.parent ? (
        <Siblings technique={technique} change={change} />
      ) : (
        <Subtechniques id={technique.id} link={link} change={change} />
      )}
      <Streams technique={technique} />
      <h3 className={styles.caption}>{t('panel.actors', { actors: technique.actors.length })}</h3>
      <div className={styles.chips}>
        {shown.map(({ id, name }) => (
          <Badge
            key={id}
            component="button"
            type="button"
            variant="default"
            tt="none"
            fw={500}
            className={styles.chip}
            onClick={() => change({ against: `actor:${id}`, view: 'coverage' })}
          >
            {name}
          </Badge>
        ))}
        {technique.actors.length > shown.length && (
          <Text size="xs" c="dimmed">
            {t('panel.moreActors', { more: technique.actors.length - shown.length })}
          </Text>
        )}
      </div>
    </div>
  );
}

function Subtechniques({ id, link, change }: Pick<AboutProps, 'link' | 'change'> & { readonly id: string }) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, technique_id: id, days: link.days, addfilters: filtersOf(link) };
  const { data = [] } = useQuery(callQuery(subtechniqueData, input, { params: { clusterId }, quiet: true }));
  if (data.length === 0) return null;
  return (
    <>
      <h3 className={styles.caption}>{t('panel.subs')}</h3>
      <ul className={styles.lines}>
        {data.map((sub) => (
          <li key={sub.id}>
            <StateGlyph state={sub.state} />
            <Anchor component="button" type="button" size="sm" onClick={() => change({ technique: sub.id })}>
              {sub.id} {sub.name}
            </Anchor>
            <span className={styles.count}>
              {sub.active}/{sub.total}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The other sub-techniques of its technique. */
function Siblings({ technique, change }: Pick<AboutProps, 'technique' | 'change'>) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, technique_id: technique.id };
  const { data = [] } = useQuery({
    ...callQuery(subtechniqueNames, input, { params: { clusterId }, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const others = data.filter(({ id }) => id !== technique.id);
  if (others.length === 0) return null;
  return (
    <>
      <h3 className={styles.caption}>{t('panel.siblings')}</h3>
      <ul className={styles.lines}>
        {others.map(({ id, name }) => (
          <li key={id}>
            <Anchor component="button" type="button" size="sm" onClick={() => change({ technique: id })}>
              {id} {name}
            </Anchor>
          </li>
        ))}
      </ul>
    </>
  );
}

function Streams({ technique }: { readonly technique: Technique }) {
  const { t } = useTranslation('attack');
  if (technique.streams.length === 0) return null;
  return (
    <>
      <h3 className={styles.caption}>{t('panel.streams')}</h3>
      <ul className={styles.lines}>
        {technique.streams.map(({ stream, last_event, is_silent, silent_sources }) => (
          <li key={stream}>
            <StateGlyph state={is_silent ? 'blind' : 'on'} />
            <span>{stream}</span>
            <span className={styles.count}>
              {last_event === null ? t('panel.never') : <TimeStamp time={last_event} form="seconds" />}
            </span>
            {silent_sources.length > 0 && (
              <span className={styles.lack}>
                {t('lacks.sources', { sources: silent_sources.slice(0, 5).join(', ') })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
