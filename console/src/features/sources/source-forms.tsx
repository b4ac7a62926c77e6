import { Button, Group, Select, TextInput } from '@mantine/core';
import { type CollectedSource, editCollection, listCollection } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatWholeDuration } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import styles from './sources.module.css';

interface FormProps {
  readonly source: CollectedSource;
}

function useEdit(source: CollectedSource) {
  const { t } = useTranslation('sources');
  const { clusterId, scopeId } = useScope();
  const edit = useCallMutation(editCollection, { stale: [listCollection] });
  const save = (change: { description?: string; silence_s?: number | null }) =>
    edit.mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, source_id: source.source_id ?? '', ...change },
      },
      { onSuccess: () => notify('done', t('saved')) },
    );
  return { save, isPending: edit.isPending };
}

/** The description, edited where it stands. */
export function DescriptionForm({ source }: FormProps) {
  const { t } = useTranslation('sources');
  const [text, setText] = useState(source.description);
  const { save, isPending } = useEdit(source);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ description: text });
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="end" wrap="nowrap">
        <TextInput
          className={styles.grows}
          label={t('columns.description')}
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={text.trim() === source.description}
        >
          {t('save')}
        </Button>
      </Group>
    </form>
  );
}

const CHOICES_S = [60, 300, 600, 1_800, 3_600, 21_600, 43_200, 86_400, 259_200, 604_800] as const;

/** After how long the source is silent: as learned, or as somebody says. */
export function SilenceForm({ source }: FormProps) {
  const { t } = useTranslation('sources');
  const { save, isPending } = useEdit(source);
  const { silence_set_s: set, silence_learned_s: learned } = source;
  const words = (seconds: number) => formatWholeDuration(seconds * 1000);
  const asLearned =
    learned === null ? t('silence.notLearned') : t('silence.asLearned', { time: words(learned) });
  const choices =
    set === null || set === 0 ? CHOICES_S : [...new Set([...CHOICES_S, set])].sort((a, b) => a - b);
  return (
    <Select
      label={t('silence.label')}
      description={t('silence.help')}
      disabled={isPending}
      allowDeselect={false}
      value={set === null ? 'learned' : String(set)}
      onChange={(value) => save({ silence_s: value === 'learned' ? null : Number(value) })}
      data={[
        { value: 'learned', label: asLearned },
        ...choices.map((seconds) => ({ value: String(seconds), label: words(seconds) })),
        { value: '0', label: t('silence.never') },
      ]}
    />
  );
}
