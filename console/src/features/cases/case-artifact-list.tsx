import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import {
  addCaseEntity,
  type Case,
  type CaseEntity,
  caseGraph,
  caseHistory,
  caseInfo,
  ENTITY_ROLES,
  ENTITY_TYPES,
  type EntityRole,
  type EntityType,
  isReadOnly,
  listCaseEntities,
  listCases,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { type CaseFocus, entityKey, toggleEntity } from './case-focus.ts';
import type { useCase } from './case-queries.ts';
import classes from './case-side.module.css';

interface ArtifactListProps {
  readonly query: ReturnType<typeof useCase>['entities'];
  readonly one: Case | undefined;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** Suspects and targets, compromised ones first, and a way to add one by hand. */
export function CaseArtifactList({ query, one, focus, onFocus }: ArtifactListProps) {
  const { t } = useTranslation('cases');
  const [isAdding, setAdding] = useState(false);
  if (query.isLoadingError) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  const canAdd = one !== undefined && !isReadOnly(one.status);
  const groups = (['both', 'suspect', 'target'] as const).map((role) => ({
    role,
    members: (query.data ?? []).filter((entity) => entity.role === role),
  }));
  return (
    <>
      {canAdd && isAdding ? <AddArtifact caseId={one.case_id} onDone={() => setAdding(false)} /> : null}
      {canAdd && !isAdding ? (
        <Button
          m={12}
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('artifact.add')}
        </Button>
      ) : null}
      {query.data?.length === 0 ? (
        <EmptyState kind="nothing-yet" title={t('artifact.none')} text={t('artifact.noneText')} />
      ) : null}
      {groups.map(({ role, members }) =>
        members.length > 0 ? (
          <div key={role}>
            <div className={classes.group}>{t(`artifact.group.${role}`, { count: members.length })}</div>
            {members.map((entity) => (
              <Artifact key={entityKey(entity)} entity={entity} focus={focus} onFocus={onFocus} />
            ))}
          </div>
        ) : null,
      )}
    </>
  );
}

interface ArtifactProps {
  readonly entity: CaseEntity;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

function Artifact({ entity, focus, onFocus }: ArtifactProps) {
  const { t } = useTranslation('cases');
  const key = entityKey(entity);
  const isLit =
    focus.entityKey === key || (focus.signalId !== null && entity.signal_ids.includes(focus.signalId));
  return (
    <div className={classes.artifact} data-lit={isLit || undefined}>
      <EntityChip
        type={entity.type}
        value={entity.value}
        part={entity.role}
        onClick={() => onFocus(toggleEntity(focus, key))}
      />
      <span>
        {entity.added ? t('artifact.byHand') : t('artifact.risk', { score: entity.risk_score })}{' '}
        <CopyButton value={entity.value} />
      </span>
    </div>
  );
}

function AddArtifact({ caseId, onDone }: { readonly caseId: string; readonly onDone: () => void }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [type, setType] = useState<EntityType>('host');
  const [role, setRole] = useState<EntityRole>('suspect');
  const [value, setValue] = useState('');
  const add = useCallMutation(addCaseEntity, {
    stale: [listCaseEntities, caseGraph, caseHistory, caseInfo, listCases],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { scope_id: scopeId, case_id: caseId, type, role, value: value.trim() };
    add.mutate({ params: { clusterId }, input }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Select
        label={t('artifact.type')}
        allowDeselect={false}
        data={ENTITY_TYPES.map((id) => ({ value: id, label: t(`ui:entity.${id}`) }))}
        value={type}
        onChange={(next) => next && setType(next as EntityType)}
      />
      <TextInput
        label={t('artifact.value')}
        value={value}
        maxLength={2048}
        onChange={(event) => setValue(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        className={classes.wide}
        label={t('artifact.role')}
        allowDeselect={false}
        data={ENTITY_ROLES.map((id) => ({ value: id, label: t(`ui:role.${id}`) }))}
        value={role}
        onChange={(next) => next && setRole(next as EntityRole)}
      />
      <Button type="submit" disabled={value.trim() === ''} loading={add.isPending}>
        {t('artifact.submit')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone} w="fit-content">
        {t('ui:cancel')}
      </Button>
    </form>
  );
}
