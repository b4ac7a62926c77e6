import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRules, type PackRuleDetail, readPackRule, readRuleVersion, saveOwnRule } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { VersionDiff, VersionList } from '../../../ui/version-list.tsx';
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
  return (
    <DetailFlyout title={t('versions.title')} label={t('versions.title')} onClose={onClose}>
      <VersionList versions={rule.versions.map((one) => ({ ...one, time: one.saved }))}>
        {(version) => <OldRule rule={rule} {...(draft ? { draft } : {})} version={version} />}
      </VersionList>
    </DetailFlyout>
  );
}

type OldRuleProps = Omit<RuleVersionsProps, 'onClose'> & { readonly version: number };

function OldRule({ rule, draft, version }: OldRuleProps) {
  const { t } = useTranslation('sigma');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, rule_id: rule.rule_id, version };
  const old = useQuery(callQuery(readRuleVersion, input, { params: { clusterId }, quiet: true }));
  if (old.isError) return <ErrorPanel error={old.error} onRetry={() => void old.refetch()} />;
  if (!old.data) return null;
  return (
    <VersionDiff version={version} before={old.data.text} after={draft?.text ?? rule.text}>
      {draft && version !== rule.version && mayWrite(rule) && (
        <Revert rule={rule} draft={draft} version={version} text={old.data.text} />
      )}
      {draft?.isDirty && version === rule.version && (
        <Button size="xs" variant="default" onClick={() => draft.setText(old.data.text)}>
          {t('versions.discard')}
        </Button>
      )}
    </VersionDiff>
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
