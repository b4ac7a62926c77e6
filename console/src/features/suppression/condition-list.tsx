import { Button, Group, Select, TagsInput, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { SUPPRESSION_LIMITS, SUSPECT_TYPES, type SuppressionCondition, TARGET_TYPES } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';

export const NEW_CONDITION: SuppressionCondition = { role: 'suspect', type: 'user', values: [] };

interface ConditionListProps {
  readonly conditions: readonly SuppressionCondition[];
  readonly onChange: (conditions: readonly SuppressionCondition[]) => void;
}

/** The conditions of a suppression rule, of which all have to hold. */
export function ConditionList({ conditions, onChange }: ConditionListProps) {
  const { t } = useTranslation('suppression');
  return (
    <>
      <Text size="sm" fw={600}>
        {t('allHold')}
      </Text>
      {Array.from(conditions.entries(), ([at, condition]) => (
        <ConditionFields
          key={at}
          condition={condition}
          onChange={(next) => onChange(conditions.with(at, next))}
          onRemove={conditions.length > 1 ? () => onChange(conditions.toSpliced(at, 1)) : null}
        />
      ))}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={conditions.length >= SUPPRESSION_LIMITS.conditions}
        onClick={() => onChange([...conditions, NEW_CONDITION])}
      >
        {t('addCondition')}
      </Button>
    </>
  );
}

interface ConditionFieldsProps {
  readonly condition: SuppressionCondition;
  readonly onChange: (condition: SuppressionCondition) => void;
  readonly onRemove: (() => void) | null;
}

const TYPES = { suspect: SUSPECT_TYPES, target: TARGET_TYPES } as const;

function ConditionFields({ condition, onChange, onRemove }: ConditionFieldsProps) {
  const { t } = useTranslation('suppression');
  const { role, type, values } = condition;
  const kinds = (['suspect', 'target'] as const).flatMap((one) =>
    TYPES[one].map((each) => ({
      value: `${one} ${each}`,
      label: `${t(`roles.${one}`)} · ${t(`types.${each}`)}`,
    })),
  );
  const pick = (value: string | null) => {
    const [nextRole, nextType] = (value ?? '').split(' ');
    onChange({ ...condition, role: nextRole, type: nextType } as SuppressionCondition);
  };
  return (
    // On a phone the values stand below what they are of.
    <Group gap={8} align="flex-start">
      <Select
        aria-label={t('who')}
        data={kinds}
        searchable
        value={`${role} ${type}`}
        allowDeselect={false}
        flex="1 0 190px"
        maw={{ base: '100%', xs: 190 }}
        onChange={pick}
      />
      <Group gap={8} wrap="nowrap" align="flex-start" flex="1 1 220px">
        <TagsInput
          aria-label={t('values')}
          placeholder={values.length === 0 ? t('valuesExample') : undefined}
          value={values}
          maxTags={SUPPRESSION_LIMITS.values}
          splitChars={[',']}
          acceptValueOnBlur
          flex={1}
          onChange={(next) => onChange({ ...condition, values: next })}
        />
        {onRemove && (
          <IconButton label={t('removeCondition')} onClick={onRemove}>
            <IconTrash size={16} />
          </IconButton>
        )}
      </Group>
    </Group>
  );
}
