import type { SuppressionCondition, SuppressionRule } from '@tyrian/contract';
import type { TFunction } from 'i18next';

/** Values that a chip shows before it counts the rest. */
const SHOWN = 3;

/** A condition as a chip says it: `Suspect user = ana, ben`. */
export function conditionText(
  t: TFunction<'suppression'>,
  { role, type, values }: SuppressionCondition,
): string {
  const shown = values.slice(0, SHOWN).join(', ');
  const rest = values.length - SHOWN;
  const list = rest > 0 ? t('andMore', { values: shown, count: rest }) : shown;
  return t('condition', { role: t(`roles.${role}`), type: t(`types.${type}`), values: list });
}

/** What a rule does as a sentence, with every value. */
export function ruleSentence(
  t: TFunction<'suppression'>,
  { workbook_name, conditions }: Pick<SuppressionRule, 'workbook_name' | 'conditions'>,
): string {
  const parts = conditions.map(({ role, type, values }) =>
    t('oneOf', {
      role: t(`roles.${role}`).toLowerCase(),
      type: t(`types.${type}`),
      values: values.join(t('or')),
    }),
  );
  return t('sentence', { workbook: workbook_name, conditions: parts.join(t('and')) });
}

export type RuleState = 'on' | 'off' | 'expired';

export function stateOf({ enabled, expires }: SuppressionRule, nowMs: number): RuleState {
  if (expires !== null && expires <= nowMs) return 'expired';
  return enabled ? 'on' : 'off';
}
