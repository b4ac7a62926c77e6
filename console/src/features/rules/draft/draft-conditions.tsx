import { Checkbox } from '@mantine/core';
import type { DraftCondition, RuleDraft } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../../lib/format-number.ts';
import { useSettings } from '../../../lib/settings.ts';
import styles from './rule-draft.module.css';

interface DraftConditionsProps {
  readonly draft: RuleDraft;
  readonly onChange: (conditions: readonly DraftCondition[]) => void;
}

/** What all selected events share: taken into the draft or left out, with how many others each matches alone. */
export function DraftConditions({ draft, onChange }: DraftConditionsProps) {
  const { t } = useTranslation('draft');
  const { conditions } = draft;
  const isLast = conditions.filter(({ is_on }) => is_on).length === 1;
  // Chosen ones first, as they were when the draft came: no row moves away under the pointer.
  const [order] = useState(() =>
    [...conditions.keys()].toSorted(
      (a, b) => Number(conditions[b]?.is_on ?? false) - Number(conditions[a]?.is_on ?? false),
    ),
  );
  const toggle = (position: number) =>
    onChange(conditions.map((one, at) => (at === position ? { ...one, is_on: !one.is_on } : one)));
  return (
    <fieldset className={styles.conditions}>
      <legend>{t('conditions.title')}</legend>
      <ul className={styles.list}>
        {order.map((position) => {
          const condition = conditions[position];
          return (
            condition && (
              <li key={position}>
                <Checkbox
                  size="xs"
                  checked={condition.is_on}
                  disabled={isLast && condition.is_on}
                  onChange={() => toggle(position)}
                  label={<Words condition={condition} />}
                />
                <Others draft={draft} condition={condition} />
              </li>
            )
          );
        })}
      </ul>
    </fieldset>
  );
}

function Words({ condition: { path, operator, values } }: { readonly condition: DraftCondition }) {
  const { t } = useTranslation('draft');
  return (
    <span className={styles.words}>
      <span className={styles.field}>{path.join('.')}</span> {t(`operator.${operator}`)}{' '}
      <code>{values.join(' | ')}</code>
    </span>
  );
}

function Others({ draft, condition }: { readonly draft: RuleDraft; readonly condition: DraftCondition }) {
  const { t } = useTranslation('draft');
  const { locale } = useSettings();
  const isCounted = draft.compared.all || draft.compared.events > 0;
  return (
    <span className={styles.others}>
      {isCounted &&
        t('conditions.others', { count: condition.others, shown: formatInteger(condition.others, locale) })}
    </span>
  );
}
