import { Anchor, Switch, Text } from '@mantine/core';
import {
  type AttackRule,
  attackComparison,
  attackGaps,
  attackMatrix,
  isPackRuleId,
  isWatched,
  landingCoverage,
  listRules,
  listWorkbooks,
  type OutputOf,
  setWorkbookVisibility,
  subtechniqueData,
  switchRules,
  techniqueData,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './attack.module.css';
import { StateWord } from './state-glyph.tsx';
import { useAttackPaths } from './use-attack-paths.ts';

type Technique = OutputOf<typeof techniqueData>;

const STALE = [
  ...[attackMatrix, techniqueData, subtechniqueData, attackGaps, attackComparison, landingCoverage],
  ...[listWorkbooks, listRules],
];

/** The rules of a technique: those that watch it, and those that would cover it, each with what it lacks. */
export function TechniqueRules({ technique }: { readonly technique: Technique }) {
  const { t } = useTranslation('attack');
  const { rules, total } = technique;
  if (rules.length === 0)
    return <EmptyState kind="nothing-yet" title={t('rules.none')} text={t('rules.noneText')} />;
  const watching = rules.filter(({ state }) => isWatched(state));
  const others = rules.filter(({ state }) => !isWatched(state));
  return (
    <div className={styles.stack}>
      {watching.length > 0 && <RuleList title={t('rules.watching')} rules={watching} />}
      {others.length > 0 && <RuleList title={t('rules.wouldCover')} rules={others} />}
      {total > rules.length && (
        <Text size="xs" c="dimmed">
          {t('rules.cut', { shown: rules.length, total })}
        </Text>
      )}
    </div>
  );
}

function RuleList({ title, rules }: { readonly title: string; readonly rules: readonly AttackRule[] }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.caption}>{title}</h3>
      <ul className={styles.rules}>
        {rules.map((rule) => (
          <li key={rule.rule_id}>
            <Rule rule={rule} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Rule({ rule }: { readonly rule: AttackRule }) {
  const { t } = useTranslation('attack');
  const paths = useAttackPaths();
  const from = rule.pack ?? t(`kinds.${rule.kind}`);
  const streams = rule.streams.join(', ') || 'Events';
  return (
    <>
      <div className={styles.ruleHead}>
        <Anchor component={Link} to={paths.rule(rule.rule_id)} size="sm" className={styles.ruleName}>
          {rule.name}
        </Anchor>
        <RuleSwitch rule={rule} />
      </div>
      <div className={styles.ruleFacts}>
        <StateWord state={rule.state} />
        <span>{from}</span>
        <span>{t(`workbooks:stages.${rule.stage}`)}</span>
        <span>{streams}</span>
        <span>{rule.techniques.join(', ')}</span>
      </div>
      <Lacks rule={rule} />
      {rule.proof && (
        <Text size="xs" c="dimmed">
          {t(`proofs.${rule.proof.kind}`)} · <TimeStamp time={rule.proof.at} />
        </Text>
      )}
    </>
  );
}

function Lacks({ rule: { lacks } }: { readonly rule: AttackRule }) {
  const { t } = useTranslation('attack');
  return (
    <>
      {lacks.streams.length > 0 && (
        <span className={styles.lack}>{t('lacks.streams', { streams: lacks.streams.join(', ') })}</span>
      )}
      {lacks.sources.length > 0 && (
        <span className={styles.lack}>{t('lacks.sources', { sources: lacks.sources.join(', ') })}</span>
      )}
      {lacks.fields.length > 0 && (
        <span className={styles.lack}>{t('lacks.fields', { fields: lacks.fields.join(', ') })}</span>
      )}
    </>
  );
}

/** Closes the gap where it shows: switches the rule on. */
function RuleSwitch({ rule }: { readonly rule: AttackRule }) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const { tags } = useSignedIn();
  const workbook = useCallMutation(setWorkbookVisibility, { stale: STALE });
  const pack = useCallMutation(switchRules, { stale: STALE });
  const params = { clusterId };
  const change = (enabled: boolean) =>
    isPackRuleId(rule.rule_id)
      ? pack.mutate({ params, input: { scope_id: scopeId, rule_ids: [rule.rule_id], enabled } })
      : workbook.mutate({ params, input: { scope_id: scopeId, ID: rule.rule_id, enabled } });
  return (
    <Switch
      size="xs"
      aria-label={t('rules.switch', { rule: rule.name })}
      checked={rule.enabled}
      disabled={!tags.includes('engineer') || workbook.isPending || pack.isPending}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
