import { Menu, Tooltip } from '@mantine/core';
import { IconCheck, IconChevronDown, IconServer2, IconStack2, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { chooseScope } from '../features/identity/sign-in/switch-scope.ts';
import { useSignedIn } from '../lib/session-store.ts';
import classes from './top-bar.module.css';
import { TOP_BAR_MENU } from './top-bar-menu.ts';

// Where the user is: the cluster when there is more than one, and its scope. Choosing another goes to the
// equivalent page there.

/** Shown only when the user has more than one cluster. */
export function ClusterSelect() {
  const { t } = useTranslation('app');
  const session = useSignedIn();
  if (session.access.length < 2) return null;
  const choices = session.access.map((entry) => ({ id: entry.clusterId, name: entry.clusterName }));
  return (
    <TopBarSelect
      icon={IconServer2}
      label={t('topBar.cluster')}
      none={t('topBar.noCluster')}
      choices={choices}
      value={session.user.clusterId}
      onChoose={(clusterId) => void chooseScope({ clusterId, scopeId: null })}
    />
  );
}

/** A choice only when the cluster has more than one scope for the user. */
export function ScopeSelect() {
  const { t } = useTranslation('app');
  const session = useSignedIn();
  const scopes = session.cluster?.scope_access.filter((scope) => scope.is_enabled) ?? [];
  if (scopes.length === 0) return null;
  return (
    <TopBarSelect
      icon={IconStack2}
      label={t('topBar.scope')}
      none={t('topBar.noScope')}
      choices={scopes.map((scope) => ({ id: scope.scope_id, name: scope.scope_name }))}
      value={session.user.scope_id}
      onChoose={(scopeId) => void chooseScope({ clusterId: session.user.clusterId, scopeId })}
    />
  );
}

interface TopBarSelectProps {
  readonly icon: TablerIcon;
  readonly label: string;
  readonly none: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly value: string | null;
  readonly onChoose: (id: string) => void;
}

function TopBarSelect({ icon: Icon, label, none, choices, value, onChoose }: TopBarSelectProps) {
  const chosen = choices.find((choice) => choice.id === value);
  const isChosen = chosen !== undefined;
  const name = chosen?.name ?? none;
  const body = (
    <>
      <Icon size={15} aria-hidden />
      <span className={classes.placeName} title={name}>
        {name}
      </span>
    </>
  );
  if (choices.length < 2) {
    return (
      <Tooltip label={label}>
        <span className={classes.place}>{body}</span>
      </Tooltip>
    );
  }
  return (
    <Menu position="bottom-start" width={260} {...TOP_BAR_MENU}>
      <Menu.Target>
        <button
          type="button"
          className={classes.place}
          data-open-choice={isChosen ? undefined : ''}
          aria-label={`${label}: ${name}`}
        >
          {body}
          <IconChevronDown size={13} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflow: 'auto' }}>
        <Menu.Label>{label}</Menu.Label>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.id}
            onClick={() => choice.id !== value && onChoose(choice.id)}
            rightSection={choice.id === value ? <IconCheck size={14} aria-hidden /> : null}
          >
            {choice.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
