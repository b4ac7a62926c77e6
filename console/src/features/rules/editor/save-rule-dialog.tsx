import { Button, Checkbox, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  countRules,
  listRulePacks,
  listRules,
  type PackRuleDetail,
  readPackRule,
  saveOwnRule,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../../lib/notify.ts';
import { useScope } from '../../../lib/session-store.ts';
import { discardUnsavedWork } from '../../../lib/unsaved-work.ts';
import { markStale, useCallMutation } from '../../../lib/use-call.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useRulePaths } from '../rule-links.ts';
import { useSwitchRules } from '../use-switch-rules.ts';
import type { RuleDraft } from './use-rule-draft.ts';

interface SaveRuleDialogProps {
  readonly draft: RuleDraft;
  readonly rule?: PackRuleDetail;
  readonly original?: PackRuleDetail;
  readonly onClose: () => void;
}

/** The version that somebody else saved meanwhile, of a refusal. */
function newerVersion(error: { readonly status: number; readonly details: unknown } | null): number | null {
  const version = (error?.details as { version?: unknown } | undefined)?.version;
  return error?.status === 409 && typeof version === 'number' ? version : null;
}

/** Asks what the version is about and saves it; a new rule may take the place of the one that it was made from. */
export function SaveRuleDialog({ draft, rule, original, onClose }: SaveRuleDialogProps) {
  const { t } = useTranslation('sigma');
  const [comment, setComment] = useState('');
  const [switchOff, setSwitchOff] = useState(original?.enabled ?? false);
  const { save, isPending, error } = useSave({ draft, rule, original, comment, switchOff, onClose });
  const newer = newerVersion(error);
  return (
    <FormDialog
      title={t(rule ? 'save.title' : 'save.newTitle')}
      submitLabel={t('save.button')}
      isBusy={isPending}
      isReady={newer === null}
      error={error}
      onClose={onClose}
      onSubmit={() => save(draft.base.version)}
      actions={
        newer !== null && (
          <Button variant="default" loading={isPending} onClick={() => save(newer)}>
            {t('save.onTop', { version: newer })}
          </Button>
        )
      }
    >
      <Textarea
        label={t('save.comment')}
        placeholder={t('save.commentHint')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
      />
      {rule?.enabled && <Text size="sm">{t('save.runs')}</Text>}
      {original?.enabled && (
        <Checkbox
          size="xs"
          label={t('save.switchOff', { title: original.title })}
          checked={switchOff}
          onChange={(event) => setSwitchOff(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

function useSave(props: SaveRuleDialogProps & { readonly comment: string; readonly switchOff: boolean }) {
  const { draft, rule, original, comment, switchOff, onClose } = props;
  const { t } = useTranslation('sigma');
  const { clusterId, scopeId } = useScope();
  const { switchRules } = useSwitchRules();
  const client = useQueryClient();
  const navigate = useNavigate();
  const paths = useRulePaths();
  const { mutate, isPending, error } = useCallMutation(saveOwnRule, { quiet: true });
  const { text } = draft;
  const done = (rule_id: string, version: number): void => {
    notify('done', t('save.done', { version }));
    draft.saved({ text, version });
    onClose();
    if (original && switchOff) switchRules({ rule_ids: [original.rule_id] }, false);
    void markStale(client, [readPackRule, listRules, countRules, listRulePacks]);
    if (rule) return;
    discardUnsavedWork();
    void navigate(paths.edit(rule_id), { replace: true });
  };
  const save = (version: number): void =>
    mutate(
      {
        params: { clusterId },
        input: {
          ...{ scope_id: scopeId, text, comment, version },
          ...(rule ? { rule_id: rule.rule_id } : {}),
          ...(original ? { cloned_from: original.rule_id } : {}),
        },
      },
      { onSuccess: (saved) => done(saved.rule_id, saved.version) },
    );
  return { save, isPending, error };
}
