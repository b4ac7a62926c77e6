import { Button, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { PREVIEW_LIMITS } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { DEFAULT_RANGE } from './preview-words.ts';
import { useStartPreview } from './use-previews.ts';

/** Looks back with the rules that are selected. */
export function RetroHuntButton({ ruleIds }: { readonly ruleIds: readonly string[] }) {
  const { t } = useTranslation('rule-preview');
  const [isAsking, setAsking] = useState(false);
  const isTooMany = ruleIds.length > PREVIEW_LIMITS.rules;
  const why = isTooMany
    ? t('hunt.tooMany', { most: PREVIEW_LIMITS.rules })
    : ruleIds.length === 0
      ? t('hunt.none', { most: PREVIEW_LIMITS.rules })
      : undefined;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        title={why}
        disabled={why !== undefined}
        leftSection={<IconHistory size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('kinds.retro-hunt')}
      </Button>
      {isAsking && <HuntDialog ruleIds={ruleIds} onClose={() => setAsking(false)} />}
    </>
  );
}

interface HuntDialogProps {
  readonly ruleIds: readonly string[];
  readonly onClose: () => void;
}

function HuntDialog({ ruleIds, onClose }: HuntDialogProps) {
  const { t } = useTranslation('rule-preview');
  const [range, setRange] = useState(DEFAULT_RANGE);
  const { start, isPending, error } = useStartPreview();
  return (
    <FormDialog
      title={t('hunt.title', { count: ruleIds.length })}
      submitLabel={t('hunt.start')}
      isBusy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={() => start({ ruleIds, kind: 'retro-hunt', range })}
    >
      <Text size="sm">{t('hunt.help')}</Text>
      <div>
        <TimeRangePicker value={range} onChange={setRange} />
      </div>
    </FormDialog>
  );
}
