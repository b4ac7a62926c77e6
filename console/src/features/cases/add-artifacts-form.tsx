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

type ChosenType = EntityType | 'auto';

interface Artifact {
  readonly type: EntityType;
  readonly value: string;
}

interface AddArtifactsFormProps {
  readonly caseId: string;
  readonly onDone: () => void;
}

/** Adds artifacts by hand: one, or many pasted at once, of the type that their form tells or of a chosen one. */
export function AddArtifactsForm({ caseId, onDone }: AddArtifactsFormProps) {
  const { t } = useTranslation('cases');
  const [type, setType] = useState<ChosenType>('auto');
  const [role, setRole] = useState<EntityRole>('suspect');
  const [text, setText] = useState('');
  const found = useMemo(() => artifactsIn(text, type), [text, type]);
  const { save, isPending } = useAddition(caseId, onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(role, found);
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
      <TypeSelect value={type} onChange={setType} />
      <Select
        label={t('artifact.role')}
        allowDeselect={false}
        data={ENTITY_ROLES.map((id) => ({ value: id, label: t(`ui:role.${id}`) }))}
        value={role}
        onChange={(next) => next && setRole(next as EntityRole)}
      />
      <Found artifacts={found} />
      <Button type="submit" disabled={found.length === 0 || found.length > MOST} loading={isPending}>
        {found.length === 0 ? t('artifact.add') : t('artifact.submitMany', { count: found.length })}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone} w="fit-content">
        {t('ui:cancel')}
      </Button>
    </form>
  );
}

function artifactsIn(text: string, type: ChosenType): readonly Artifact[] {
  const typeOf = (told: EntityType | null) => (type === 'auto' ? (told ?? UNTOLD) : type);
  return readArtifacts(text).map((each) => ({ value: each.value, type: typeOf(each.type) }));
}

/** Writes them into the case and says how many were new to it. */
function useAddition(caseId: string, onDone: () => void) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const add = useCallMutation(addCaseEntities, {
    stale: [listCaseEntities, caseGraph, caseHistory, caseInfo, listCases],
  });
  const onSuccess = ({ added, unchanged }: { readonly added: number; readonly unchanged: number }) => {
    if (unchanged > 0) notify('info', t('artifact.known', { count: unchanged }));
    else notify('done', t('artifact.added', { count: added }));
    onDone();
  };
  const save = (role: EntityRole, entities: readonly Artifact[]) => {
    const input = { scope_id: scopeId, case_id: caseId, role, entities: [...entities] };
    add.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return { save, isPending: add.isPending };
}

interface TypeSelectProps {
  readonly value: ChosenType;
  readonly onChange: (type: ChosenType) => void;
}

function TypeSelect({ value, onChange }: TypeSelectProps) {
  const { t } = useTranslation('cases');
  return (
    <Select
      label={t('artifact.type')}
      allowDeselect={false}
      data={[
        { value: 'auto', label: t('artifact.auto') },
        ...ENTITY_TYPES.map((id) => ({ value: id, label: t(`ui:entity.${id}`) })),
      ]}
      value={value}
      onChange={(next) => next && onChange(next as ChosenType)}
    />
  );
}

/** What the text was read as, before it is added. */
function Found({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  const { t } = useTranslation('cases');
  if (artifacts.length === 0) return null;
  return (
    <>
      <ul className={classes.found} aria-label={t('artifact.found', { count: artifacts.length })}>
        {artifacts.map((each) => (
          <li key={each.value}>
            <EntityChip type={each.type} value={each.value} />
            <span>{t(`ui:entity.${each.type}`)}</span>
          </li>
        ))}
      </ul>
      {artifacts.length > MOST ? <p role="alert">{t('artifact.tooMany', { count: MOST })}</p> : null}
    </>
  );
}
