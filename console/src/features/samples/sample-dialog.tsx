import { Select, Textarea, TextInput } from '@mantine/core';
import { type RuleSample, SAMPLE_EXPECTATIONS, SAMPLE_LIMITS } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { eventsOfText, expectKey, textOfEvents } from './sample-words.ts';

interface SampleDialogProps {
  /** Null: a new one. */
  readonly sample: RuleSample | null;
  /** Names that others have. */
  readonly taken: readonly string[];
  /** Only to be looked at. */
  readonly isFixed: boolean;
  readonly onSave: (sample: RuleSample) => void;
  readonly onClose: () => void;
}

/** A sample: its name, whether the rule has to match, and its events as they are pasted. */
export function SampleDialog({ sample, taken, isFixed, onSave, onClose }: SampleDialogProps) {
  const { t } = useTranslation('samples');
  const [name, setName] = useState(sample?.name ?? '');
  const [expect, setExpect] = useState<RuleSample['expect']>(sample?.expect ?? 'match');
  const [text, setText] = useState(textOfEvents(sample?.events ?? []));
  const events = eventsOfText(text);
  const isTaken = taken.includes(name.trim());
  const isTooMany = events.length > SAMPLE_LIMITS.events;
  const isReady = name.trim() !== '' && !isTaken && events.length > 0 && !isTooMany;
  return (
    <FormDialog
      title={t(isFixed ? 'dialog.look' : sample ? 'dialog.edit' : 'dialog.add')}
      size="lg"
      submitLabel={t(isFixed ? 'dialog.close' : 'dialog.keep')}
      isReady={isFixed || isReady}
      onSubmit={() => (isFixed ? onClose() : onSave({ name: name.trim(), expect, events }))}
      onClose={onClose}
    >
      <TextInput
        label={t('columns.name')}
        value={name}
        required={!isFixed}
        readOnly={isFixed}
        maxLength={SAMPLE_LIMITS.nameChars}
        error={isTaken ? t('dialog.taken') : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label={t('columns.expect')}
        data={SAMPLE_EXPECTATIONS.map((value) => ({ value, label: t(expectKey(value)) }))}
        value={expect}
        allowDeselect={false}
        readOnly={isFixed}
        onChange={(value) => setExpect(value === 'no match' ? 'no match' : 'match')}
      />
      <Textarea
        label={t('columns.events')}
        description={t('dialog.eventsHelp')}
        value={text}
        required={!isFixed}
        readOnly={isFixed}
        autosize
        minRows={8}
        maxRows={20}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        error={isTooMany ? t('dialog.tooMany', { most: SAMPLE_LIMITS.events }) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
