import { Button, Checkbox, Text } from '@mantine/core';
import type { DraftCondition, RuleDraft } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useRulePaths } from '../rule-links.ts';
import { DraftText, type DraftTextProps } from './draft-text.tsx';
import { draftState } from './drafted-text.ts';

interface SigmaDraftProps extends DraftTextProps {
  readonly sigma: NonNullable<RuleDraft['sigma']>;
  /** Conditions that only KQL can ask. */
  readonly leftOut: readonly DraftCondition[];
}

/** The draft as a Sigma rule, on its way to the editor, with the events as samples. */
export function SigmaDraft({ sigma, leftOut, onClose, ...shown }: SigmaDraftProps) {
  const { t } = useTranslation('draft');
  const navigate = useNavigate();
  const paths = useRulePaths();
  const [withSamples, setWithSamples] = useState(true);
  const text = withSamples ? `${sigma.text}${sigma.samples}` : sigma.text;
  const open = () => {
    onClose();
    void navigate(paths.new, { state: draftState(text) });
  };
  return (
    <DraftText
      {...shown}
      text={text}
      kql={sigma.kql}
      others={sigma.others}
      matchesAll
      notes={
        leftOut.length > 0 && (
          <Text size="sm">
            {t('onlyKql', { fields: leftOut.map(({ path }) => path.join('.')).join(', ') })}
          </Text>
        )
      }
      actions={
        <>
          {sigma.samples !== '' && (
            <Checkbox
              size="xs"
              label={t('samples', { count: shown.draft.events })}
              description={t('samplesHelp')}
              checked={withSamples}
              onChange={(event) => setWithSamples(event.currentTarget.checked)}
            />
          )}
          <Button disabled={shown.isBusy} onClick={open} data-autofocus>
            {t('openEditor')}
          </Button>
        </>
      }
    />
  );
}
