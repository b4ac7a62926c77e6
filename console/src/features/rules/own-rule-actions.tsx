import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDotsVertical,
  IconHistory,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import {
  countRules,
  listRulePacks,
  listRules,
  lockOwnRule,
  type PackRuleDetail,
  readPackRule,
  removeOwnRule,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { useRulePaths } from './rule-links.ts';

/** Writing a rule: edit, lock and delete one of the tenant's own, or make one from a rule of a pack. */
export function OwnRuleActions({
  rule,
  onVersions,
}: {
  readonly rule: PackRuleDetail;
  readonly onVersions: () => void;
}) {
  const { t } = useTranslation('rules');
  const { tags } = useSignedIn();
  const paths = useRulePaths();
  const { own, rule_id } = rule;
  if (!tags.includes('engineer')) return null;
  const icon = { size: 14, 'aria-hidden': true } as const;
  return (
    <>
      {own ? (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={paths.edit(rule_id)}
          leftSection={<IconPencil {...icon} />}
        >
          {t('write.edit')}
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={paths.copyOf(rule_id)}
          title={t('write.customizeHelp')}
          leftSection={<IconCopy {...icon} />}
        >
          {t('write.customize')}
        </Button>
      )}
      {own && <OwnRuleMenu rule={rule} own={own} onVersions={onVersions} />}
    </>
  );
}

interface OwnRuleMenuProps {
  readonly rule: PackRuleDetail;
  readonly own: NonNullable<PackRuleDetail['own']>;
  readonly onVersions: () => void;
}

function OwnRuleMenu({ rule, own, onVersions }: OwnRuleMenuProps) {
  const { t } = useTranslation('rules');
  const paths = useRulePaths();
  const { lock, remove } = useOwnRuleActs(rule);
  const icon = { size: 14, 'aria-hidden': true } as const;
  const askToRemove = () =>
    askToConfirm({
      title: t('write.removeAsk', { title: rule.title }),
      consequence: t('write.removeText'),
      confirmLabel: t('write.remove'),
      onConfirm: remove,
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('write.more')}>
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.copyOf(rule.rule_id)} leftSection={<IconCopy {...icon} />}>
          {t('write.customize')}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={onVersions}>
          {t('write.versions')}
        </Menu.Item>
        <Menu.Item
          leftSection={own.locked ? <IconLockOpen {...icon} /> : <IconLock {...icon} />}
          onClick={() => lock(!own.locked)}
        >
          {t(own.locked ? 'write.unlock' : 'write.lock')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...icon} />}
          disabled={!own.may_change || rule.enabled}
          onClick={askToRemove}
        >
          {t('write.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useOwnRuleActs({ rule_id }: PackRuleDetail) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useRulePaths();
  const params = { clusterId };
  const locking = useCallMutation(lockOwnRule, { stale: [readPackRule] });
  const removing = useCallMutation(removeOwnRule, { stale: [listRules, countRules, listRulePacks] });
  return {
    lock: (lock: boolean) =>
      locking.mutate(
        { params, input: { scope_id: scopeId, rule_id, lock } },
        { onSuccess: () => notify('done', t(lock ? 'write.locked' : 'write.unlocked')) },
      ),
    remove: () =>
      removing.mutate(
        { params, input: { scope_id: scopeId, rule_id } },
        {
          onSuccess: () => {
            notify('done', t('write.removed'));
            void navigate(paths.list, { replace: true });
          },
        },
      ),
  };
}
