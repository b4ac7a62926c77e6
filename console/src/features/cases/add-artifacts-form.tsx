import { Button, Select, Textarea } from '@mantine/core';
import {
  addCaseEntities,
  caseGraph,
  caseHistory,
  caseInfo,
  ENTITY_ROLES,
  ENTITY_TYPES,
  type EntityRole,
  type EntityType,
  listCaseEntities,
  listCases,
} from '@tyrian/contract';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readArtifacts } from '../../lib/artifact-text.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { EntityChip } from '../../ui/entity-chip.tsx';
import classes from './case-side.module.css';

const MOST = 200;
/** What a text that has no telling form is taken for, until somebody says otherwise. */
const UNTOLD: EntityType = 'host';

/** Adds artifacts by hand: one, or many pasted at once, of the type that their form tells or of a chosen one. */
export function AddArtifactsForm({
  caseId,
  onDone,
}: {
  readonly caseId: string;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [type, setType] = useState<EntityType | 'auto'>('auto');
  const [role, setRole] = useState<EntityRole>('suspect');
  const [text, setText] = useState('');
  const add = useCallMutation(addCaseEntities, {
    stale: [listCaseEntities, caseGraph, caseHistory, caseInfo, listCases],
  });
  const found = useMemo(
    () =>
      readArtifacts(text).map((each) => ({
        value: each.value,
        type: type === 'auto' ? (each.type ?? UNTOLD) : type,
      })),
    [text, type],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { scope_id: scopeId, case_id: caseId, role, entities: found };
    add.mutate(
      { params: { clusterId }, input },
      {
        onSuccess: ({ added, unchanged }) => {
          if (unchanged > 0) notify('info', t('artifact.known', { count: unchanged }));
          else notify('done', t('artifact.added', { count: added }));
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Textarea
        className={classes.wide}
        label={t('artifact.values')}
        description={t('artifact.valuesHelp')}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label={t('artifact.type')}
        allowDeselect={false}
        data={[
          { value: 'auto', label: t('artifact.auto') },
          ...ENTITY_TYPES.map((id) => ({ value: id, label: t(`ui:entity.${id}`) })),
        ]}
        value={type}
        onChange={(next) => next && setType(next as EntityType | 'auto')}
      />
      <Select
        label={t('artifact.role')}
        allowDeselect={false}
        data={ENTITY_ROLES.map((id) => ({ value: id, label: t(`ui:role.${id}`) }))}
        value={role}
        onChange={(next) => next && setRole(next as EntityRole)}
      />
      {found.length > 0 ? (
        <ul className={classes.found} aria-label={t('artifact.found', { count: found.length })}>
          {found.map((each) => (
            <li key={each.value}>
              <EntityChip type={each.type} value={each.value} />
              <span>{t(`ui:entity.${each.type}`)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {found.length > MOST ? <p role="alert">{t('artifact.tooMany', { count: MOST })}</p> : null}
      <Button type="submit" disabled={found.length === 0 || found.length > MOST} loading={add.isPending}>
        {found.length === 0 ? t('artifact.add') : t('artifact.submitMany', { count: found.length })}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone} w="fit-content">
        {t('ui:cancel')}
      </Button>
    </form>
  );
}
