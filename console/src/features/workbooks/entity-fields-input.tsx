import { ActionIcon, Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { kindAfter } from './entity-kind.ts';
import styles from './signal-form.module.css';

export interface EntityField<T extends string> {
  readonly type: T;
  readonly field: string;
}

interface EntityFieldsInputProps<T extends string> {
  readonly label: string;
  readonly help: string;
  readonly addLabel: string;
  readonly types: readonly T[];
  readonly fields: readonly string[];
  readonly value: readonly EntityField<T>[];
  readonly error?: string;
  readonly isFixed: boolean;
  readonly onChange: (value: EntityField<T>[]) => void;
}

/** Who did it, or to whom: a kind of entity and the result column that names it, as many as needed. */
export function EntityFieldsInput<T extends string>(props: EntityFieldsInputProps<T>) {
  const { t } = useTranslation('workbooks');
  const { value, types, fields, isFixed, onChange } = props;
  const change = (index: number, part: Partial<EntityField<T>>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <fieldset className={styles.entities}>
      <legend>{props.label}</legend>
      <Stack gap={6}>
        {value.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <Group key={index} gap={6} wrap="nowrap">
            <Select
              aria-label={t('signal.entityType')}
              data={types.map((type) => ({ value: type, label: t(`ui:entity.${type}`) }))}
              value={each.type}
              onChange={(type) => type && change(index, { type: type as T })}
              allowDeselect={false}
              readOnly={isFixed}
              w={130}
            />
            <Autocomplete
              aria-label={t('signal.entityField')}
              placeholder={t('signal.fieldHint')}
              data={[...fields]}
              value={each.field}
              onChange={(field) => change(index, { field, type: kindAfter(each, field, types) })}
              readOnly={isFixed}
              size="xs"
              style={{ flex: 1 }}
            />
            {!isFixed && (
              <ActionIcon
                aria-label={t('signal.removeEntity')}
                onClick={() => onChange(value.filter((_, at) => at !== index))}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isFixed && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, { type: types[0] as T, field: '' }])}
            style={{ alignSelf: 'flex-start' }}
          >
            {props.addLabel}
          </Button>
        )}
        <Text size="xs" c={props.error ? 'var(--bad)' : 'dimmed'}>
          {props.error ?? props.help}
        </Text>
      </Stack>
    </fieldset>
  );
}
