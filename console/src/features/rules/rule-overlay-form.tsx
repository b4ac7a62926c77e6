import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  countRules,
  EXCEPTION_OPERATORS,
  listRules,
  type PackRuleDetail,
  RULE_LEVELS,
  type RuleException,
  type RuleOverlay,
  readPackRule,
  STAGES,
  saveRuleOverlay,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './rules.module.css';

const NEW_EXCEPTION: RuleException = { field: 'ActorUsername', operator: 'equals', values: [], reason: '' };
const FIELDS = [
  'ActorUsername',
  'DvcHostname',
  'ProcessName',
  'ParentProcessName',
  'CommandLine',
  'SrcIpAddr',
];

interface PartProps {
  readonly draft: RuleOverlay;
  readonly change: (part: Partial<RuleOverlay>) => void;
}

function useOverlay(rule: PackRuleDetail) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const [draft, setDraft] = useState<RuleOverlay>(rule.overlay);
  const save = useCallMutation(saveRuleOverlay, {
    stale: [readPackRule, listRules, countRules],
    quiet: true,
  });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(rule.overlay);
  useUnsavedWork(isDirty && !save.isSuccess);
  const { rule_id, revision } = rule;
  const submit = () =>
    save.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, rule_id, overlay: draft, revision } },
      { onSuccess: () => notify('done', t('overlay.saved')) },
    );
  const change = (part: Partial<RuleOverlay>) => setDraft((now) => ({ ...now, ...part }));
  return { draft, change, isDirty, submit, save };
}

/** What the scope changes about a rule; it stays through every update of the pack. */
export function RuleOverlayForm({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const { tags } = useSignedIn();
  const { draft, change, isDirty, submit, save } = useOverlay(rule);
  const isEngineer = tags.includes('engineer');
  const isReady = draft.exceptions.every(({ field, values }) => field !== '' && values.length > 0);
  return (
    <fieldset disabled={!isEngineer} style={{ display: 'contents' }}>
      <Text size="sm" c="dimmed">
        {t('overlay.help')}
      </Text>
      <StageFields draft={draft} change={change} />
      <ThresholdFields draft={draft} change={change} />
      <ExceptionList draft={draft} change={change} />
      <Group gap={8}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ exceptions: [...draft.exceptions, NEW_EXCEPTION] })}
        >
          {t('overlay.addException')}
        </Button>
        <Button
          size="xs"
          disabled={!isDirty || !isReady || !isEngineer}
          loading={save.isPending}
          onClick={submit}
        >
          {t('overlay.save')}
        </Button>
      </Group>
      {save.error && (
        <Alert color="red" variant="light" role="alert">
          {serverText(save.error)}
        </Alert>
      )}
    </fieldset>
  );
}

function StageFields({ draft, change }: PartProps) {
  const { t } = useTranslation('rules');
  return (
    <Group gap={12} align="flex-end">
      <Select
        label={t('columns.stage')}
        data={STAGES.map((value) => ({ value, label: t(`workbooks:stages.${value}`) }))}
        value={draft.stage}
        allowDeselect={false}
        w={120}
        onChange={(value) => change({ stage: STAGES.find((one) => one === value) ?? 'test' })}
      />
      <Select
        label={t('columns.level')}
        placeholder={t('overlay.asRule')}
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
        data={RULE_LEVELS.map((value) => ({ value, label: t(`levels.${value}`) }))}
        value={draft.level}
        w={180}
        onChange={(value) => change({ level: RULE_LEVELS.find((one) => one === value) ?? null })}
      />
    </Group>
  );
}

function ExceptionList({ draft, change }: PartProps) {
  const { t } = useTranslation('rules');
  const { exceptions } = draft;
  return (
    <>
      <Text size="sm" fw={600}>
        {t('overlay.exceptions')}
      </Text>
      {Array.from(exceptions.entries(), ([at, exception]) => (
        <ExceptionFields
          key={at}
          exception={exception}
          onChange={(next) => change({ exceptions: exceptions.with(at, next) })}
          onRemove={() => change({ exceptions: exceptions.toSpliced(at, 1) })}
        />
      ))}
    </>
  );
}

interface ExceptionFieldsProps {
  readonly exception: RuleException;
  readonly onChange: (exception: RuleException) => void;
  readonly onRemove: () => void;
}

function ExceptionFields({ exception, onChange, onRemove }: ExceptionFieldsProps) {
  const { t } = useTranslation('rules');
  const { field, operator, values, reason } = exception;
  return (
    <div className={styles.exception}>
      <Select
        label={t('field')}
        data={[...new Set([...FIELDS, field])]}
        searchable
        value={field}
        w={180}
        onChange={(value) => value && onChange({ ...exception, field: value })}
      />
      <Select
        label={t('overlay.operator')}
        data={EXCEPTION_OPERATORS.map((value) => ({ value, label: t(`operators.${value}`) }))}
        value={operator}
        allowDeselect={false}
        w={140}
        onChange={(value) =>
          onChange({ ...exception, operator: EXCEPTION_OPERATORS.find((one) => one === value) ?? 'equals' })
        }
      />
      <TagsInput
        label={t('overlay.values')}
        value={values}
        onChange={(next) => onChange({ ...exception, values: next })}
        maxTags={100}
        miw={220}
        flex={1}
      />
      <TextInput
        label={t('overlay.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => onChange({ ...exception, reason: event.currentTarget.value })}
      />
      <IconButton label={t('overlay.removeException')} onClick={onRemove}>
        <IconTrash size={16} />
      </IconButton>
    </div>
  );
}

const THRESHOLD = { count: 5, minutes: 10, field: 'DvcHostname' };

function ThresholdFields(props: PartProps) {
  const { t } = useTranslation('rules');
  const { threshold } = props.draft;
  const number = (key: 'count' | 'minutes', least: number, most: number) => (
    <NumberInput
      label={t(`overlay.${key}`)}
      value={threshold?.[key] ?? least}
      min={least}
      max={most}
      allowDecimal={false}
      w={130}
      onChange={(value) =>
        threshold && typeof value === 'number' && props.change({ threshold: { ...threshold, [key]: value } })
      }
    />
  );
  return (
    <Group gap={12} align="flex-end">
      <Checkbox
        label={t('overlay.threshold')}
        checked={threshold !== null}
        onChange={(event) => props.change({ threshold: event.currentTarget.checked ? THRESHOLD : null })}
      />
      {threshold && (
        <>
          {number('count', 2, 100_000)}
          {number('minutes', 1, 1440)}
          <Select
            label={t('overlay.per')}
            data={[...new Set([...FIELDS, threshold.field])]}
            value={threshold.field}
            searchable
            w={180}
            onChange={(value) => value && props.change({ threshold: { ...threshold, field: value } })}
          />
        </>
      )}
    </Group>
  );
}
