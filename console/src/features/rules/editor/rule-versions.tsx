import { Button, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRules, type PackRuleDetail, readPackRule, readRuleVersion, saveOwnRule } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { diffLines, foldDiff } from '../../workbooks/public.ts';
import styles from './rule-versions.module.css';
import { mayWrite, type RuleDraft } from './use-rule-draft.ts';

interface RuleVersionsProps {
  readonly rule: PackRuleDetail;
  /** Absent where the text is only read: versions are held against the newest one then. */
  readonly draft?: RuleDraft;
  readonly onClose: () => void;
}

/** Versions with author and comment; one that is chosen shows how the text differs from it, and can come back. */
export function RuleVersions({ rule, draft, onClose }: RuleVersionsProps) {
  const { t } = useTranslation('sigma');
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <DetailFlyout title={t('versions.title')} label={t('versions.title')} onClose={onClose}>
      <ul className={styles.list}>
        {rule.versions.map(({ version, comment, author, saved }) => (
          <li key={version}>
            <button
              type="button"
              className={styles.item}
              aria-pressed={chosen === version}
              onClick={() => setChosen((now) => (now === version ? null : version))}
            >
              <strong>v{version}</strong>
              <span className={styles.comment}>{comment || t('versions.noComment')}</span>
              <span className={styles.who}>
                {author} · <TimeStamp time={saved} />
              </span>
            </button>
            {chosen === version && (
              <VersionDiff rule={rule} {...(draft ? { draft } : {})} version={version} />
            )}
          </li>
        ))}
      </ul>
    </DetailFlyout>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

type VersionDiffProps = Omit<RuleVersionsProps, 'onClose'> & { readonly version: number };

function VersionDiff({ rule, draft, version }: VersionDiffProps) {
  const { t } = useTranslation('sigma');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, rule_id: rule.rule_id, version };
  const old = useQuery(callQuery(readRuleVersion, input, { params: { clusterId }, quiet: true }));
  if (old.isError) return <ErrorPanel error={old.error} onRetry={() => void old.refetch()} />;
  if (!old.data) return null;
  const lines = foldDiff(diffLines(old.data.text, draft?.text ?? rule.text)).map((line, at) => ({
    ...line,
    at,
  }));
  const isSame = lines.every(({ kind }) => kind === 'gap' || kind === 'same');
  return (
    <div className={styles.diff}>
      <Text size="xs" c="dimmed">
        {isSame ? t('versions.same') : t('versions.diff', { version })}
      </Text>
      {!isSame && (
        <ScrollArea.Autosize mah={420} type="auto">
          <pre className={styles.lines}>
            {lines.map((line) => (
              <div key={line.at} data-kind={line.kind}>
                {line.kind === 'gap'
                  ? t('versions.unchanged', { lines: line.count })
                  : `${SIGNS[line.kind]} ${line.text}`}
              </div>
            ))}
          </pre>
        </ScrollArea.Autosize>
      )}
      {draft && !isSame && version !== rule.version && mayWrite(rule) && (
        <Revert rule={rule} draft={draft} version={version} text={old.data.text} />
      )}
      {draft?.isDirty && version === rule.version && (
        <Button size="xs" variant="default" onClick={() => draft.setText(old.data.text)}>
          {t('versions.discard')}
        </Button>
      )}
    </div>
  );
}

interface RevertProps {
  readonly rule: PackRuleDetail;
  readonly draft: RuleDraft;
  readonly version: number;
  readonly text: string;
}

/** Saves the text of an old version as the newest one. */
function Revert({ rule, draft, version, text }: RevertProps) {
  const { t } = useTranslation('sigma');
  const { clusterId, scopeId } = useScope();
  const save = useCallMutation(saveOwnRule, { stale: [readPackRule, listRules] });
  const revert = () => {
    const comment = t('versions.revertComment', { version });
    const which = { scope_id: scopeId, rule_id: rule.rule_id, version: draft.base.version };
    save.mutate(
      { params: { clusterId }, input: { ...which, text, comment } },
      {
        onSuccess: (made) => {
          draft.adopt({ text, version: made.version });
          notify('done', t('versions.reverted', { version, made: made.version }));
        },
      },
    );
  };
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      isHarmless
      loading={save.isPending}
      disabled={draft.isDirty}
      title={t('versions.ask', { version })}
      consequence={t('versions.askText', { version })}
      confirmLabel={t('versions.revert', { version })}
      onConfirm={revert}
    />
  );
}
