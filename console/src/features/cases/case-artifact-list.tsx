import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type Case, type CaseEntity, isReadOnly } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { AddArtifactsForm } from './add-artifacts-form.tsx';
import { ArtifactActions } from './artifact-actions.tsx';
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
      {canAdd && isAdding ? <AddArtifactsForm caseId={one.case_id} onDone={() => setAdding(false)} /> : null}
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
        <ArtifactActions entity={entity} />
      </span>
    </div>
  );
}
