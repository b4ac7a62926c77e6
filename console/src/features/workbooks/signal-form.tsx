import { Menu, SegmentedControl, Select, Slider, TagsInput, Textarea, TextInput } from '@mantine/core';
import { IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  CONFIDENCES,
  type DraftProblem,
  type SignalBody,
  SUSPECT_TYPES,
  TARGET_TYPES,
  workbookMeta,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { callQuery } from '../../lib/use-call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { EntityFieldsInput } from './entity-fields-input.tsx';
import { MarkdownView } from './markdown-view.tsx';
import styles from './signal-form.module.css';

interface SignalFormProps {
  readonly clusterId: string;
  readonly body: SignalBody;
  /** Columns of the query above. */
  readonly fields: readonly string[];
  readonly problems: readonly DraftProblem[];
  readonly isFixed: boolean;
  readonly onChange: (body: SignalBody) => void;
}

const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY };

function usePickList(clusterId: string, type: 'tactics' | 'techniques' | 'tags') {
  return (
    useQuery({ ...callQuery(workbookMeta, { type }, { params: { clusterId }, quiet: true }), ...NEVER_STALE })
      .data ?? []
  );
}

/** What a row of the query means: name, place in ATT&CK, weight, who and whom, and how to triage it. */
export function SignalForm(props: SignalFormProps) {
  const { body, fields, problems, isFixed, onChange } = props;
  const { t } = useTranslation('workbooks');
  const change = (part: Partial<SignalBody>) => onChange({ ...body, ...part });
  const errorOf = (field: string) => {
    const found = problems.find(
      (each) => each.severity === 'error' && (each.field === field || each.field.startsWith(`${field}.`)),
    );
    return found && serverText(found);
  };
  return (
    <div className={isFixed ? `${styles.form} read-only` : styles.form}>
      <TextInput
        className={styles.wide}
        label={t('signal.name')}
        description={t('signal.nameHelp')}
        placeholder={t('signal.nameHint')}
        value={body.name}
        error={errorOf('name')}
        readOnly={isFixed}
        onChange={(event) => change({ name: event.currentTarget.value })}
        rightSection={
          <PlaceholderMenu
            fields={fields}
            isFixed={isFixed}
            onChoose={(field) => change({ name: `${body.name}_$${field}_` })}
          />
        }
      />
      <AttackFields {...props} errorOf={errorOf} change={change} />
      <WeightFields body={body} isFixed={isFixed} change={change} />
      <EntityFieldsInput
        label={t('signal.suspects')}
        help={t('signal.suspectsHelp')}
        addLabel={t('signal.addSuspect')}
        types={SUSPECT_TYPES}
        fields={fields}
        value={body.suspects}
        error={errorOf('suspects')}
        isFixed={isFixed}
        onChange={(suspects) => change({ suspects })}
      />
      <EntityFieldsInput
        label={t('signal.targets')}
        help={t('signal.targetsHelp')}
        addLabel={t('signal.addTarget')}
        types={TARGET_TYPES}
        fields={fields}
        value={body.targets}
        error={errorOf('targets')}
        isFixed={isFixed}
        onChange={(targets) => change({ targets })}
      />
      <KnowledgeField body={body} isFixed={isFixed} change={change} />
    </div>
  );
}

interface PartProps {
  readonly body: SignalBody;
  readonly isFixed: boolean;
  readonly change: (part: Partial<SignalBody>) => void;
}

/** The list with what is chosen in it, also when the list is still loading or does not know it. */
function withChosen(list: { value: string; label: string }[], chosen: string) {
  const isKnown = chosen === '' || list.some((each) => each.value === chosen);
  return isKnown ? list : [...list, { value: chosen, label: chosen }];
}

interface AttackFieldsProps extends PartProps {
  readonly clusterId: string;
  readonly errorOf: (field: string) => string | undefined;
}

function AttackFields({ clusterId, body, isFixed, change, errorOf }: AttackFieldsProps) {
  const { t } = useTranslation('workbooks');
  const tactics = usePickList(clusterId, 'tactics');
  const techniques = usePickList(clusterId, 'techniques');
  const tags = usePickList(clusterId, 'tags');
  const parents = techniques.filter(
    (each) => !each.parent && (!body.tactic || (each.tactics ?? []).includes(body.tactic)),
  );
  const subs = techniques.filter((each) => each.parent === body.technique);
  const chooseTechnique = (technique: string) => {
    const chosen = techniques.find((each) => each.id === technique);
    change({ technique, sub_technique: '', tactic: body.tactic || (chosen?.tactics?.[0] ?? '') });
  };
  return (
    <>
      <AttackSelect
        label={t('signal.tactic')}
        list={tactics.map(({ name }) => ({ value: name, label: name }))}
        value={body.tactic}
        error={errorOf('tactic')}
        isFixed={isFixed}
        onChange={(tactic) => change({ tactic })}
      />
      <AttackSelect
        label={t('signal.technique')}
        list={parents.map(named)}
        value={body.technique}
        error={errorOf('technique')}
        isFixed={isFixed}
        onChange={chooseTechnique}
      />
      <AttackSelect
        label={t('signal.subTechnique')}
        list={subs.map(named)}
        value={body.sub_technique}
        error={errorOf('sub_technique')}
        isFixed={isFixed || subs.length === 0}
        onChange={(sub_technique) => change({ sub_technique })}
      />
      <TagsInput
        label={t('tags')}
        size="xs"
        data={tags.map((each) => each.id)}
        value={body.tags}
        readOnly={isFixed}
        onChange={(chosen) => change({ tags: chosen })}
      />
    </>
  );
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  value: id,
  label: `${id} ${name}`,
});

interface AttackSelectProps {
  readonly label: string;
  readonly list: { value: string; label: string }[];
  /** '': none. */
  readonly value: string;
  readonly error: string | undefined;
  readonly isFixed: boolean;
  readonly onChange: (value: string) => void;
}

function AttackSelect({ label, list, value, error, isFixed, onChange }: AttackSelectProps) {
  const { t } = useTranslation('workbooks');
  return (
    <Select
      label={label}
      data={withChosen(list, value)}
      value={value || null}
      error={error}
      readOnly={isFixed}
      searchable
      clearable
      limit={80}
      clearButtonProps={{ 'aria-label': t('clear') }}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

function WeightFields({ body, isFixed, change }: PartProps) {
  const { t } = useTranslation('workbooks');
  return (
    <>
      <div className={styles.weight}>
        <span className={styles.label}>{t('signal.confidence')}</span>
        <SegmentedControl
          aria-label={t('signal.confidence')}
          data={CONFIDENCES.map((each) => ({ value: each, label: t(`confidence.${each}`) }))}
          value={body.confidence}
          readOnly={isFixed}
          onChange={(choice) =>
            change({ confidence: CONFIDENCES.find((one) => one === choice) ?? body.confidence })
          }
        />
      </div>
      <div className={styles.weight}>
        <span className={styles.label}>{t('signal.score')}</span>
        <div className={styles.score}>
          <Slider
            min={1}
            max={10}
            value={body.score}
            disabled={isFixed}
            label={null}
            color="gray"
            thumbLabel={t('signal.score')}
            onChange={(score) => change({ score })}
          />
          <ScoreTile score={body.score} />
        </div>
      </div>
    </>
  );
}

function KnowledgeField({ body, isFixed, change }: PartProps) {
  const { t } = useTranslation('workbooks');
  const [view, setView] = useState(isFixed ? 'preview' : 'write');
  return (
    <div className={styles.wide}>
      <div className={styles.kbHead}>
        <span className={styles.label}>{t('signal.kb')}</span>
        <SegmentedControl
          aria-label={t('signal.kbView')}
          data={[
            { value: 'write', label: t('signal.write') },
            { value: 'preview', label: t('signal.preview') },
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {view === 'write' ? (
        <Textarea
          aria-label={t('signal.kb')}
          placeholder={t('signal.kbHint')}
          autosize
          minRows={5}
          maxRows={18}
          value={body.kb}
          readOnly={isFixed}
          onChange={(event) => change({ kb: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--font-mono)' } }}
        />
      ) : (
        <div className={styles.preview}>
          {body.kb.trim() === '' ? t('signal.kbEmpty') : <MarkdownView text={body.kb} />}
        </div>
      )}
    </div>
  );
}

function PlaceholderMenu(props: {
  readonly fields: readonly string[];
  readonly isFixed: boolean;
  readonly onChoose: (field: string) => void;
}) {
  const { t } = useTranslation('workbooks');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton
          label={t('signal.insertField')}
          size={24}
          disabled={props.isFixed || props.fields.length === 0}
        >
          <IconVariable size={15} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflow: 'auto' }}>
        {props.fields.map((field) => (
          <Menu.Item key={field} onClick={() => props.onChoose(field)}>
            {field}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
