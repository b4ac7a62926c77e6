import {
  Button,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ConnectorField } from './connector-fields.ts';
import classes from './connectors.module.css';

interface FieldInputProps {
  readonly field: ConnectorField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Of a secret: one is stored, and stays when nothing is written here. */
  readonly isStored?: boolean;
  readonly problem?: string | undefined;
}

interface InputProps<F extends ConnectorField = ConnectorField> {
  readonly field: F;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isStored: boolean;
  readonly common: { readonly label: string; readonly description?: string; readonly error?: string };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One setting of a connector. */
export function ConnectorFieldInput({ field, value, onChange, isStored = false, problem }: FieldInputProps) {
  const { t, i18n } = useTranslation('connectors');
  const help = `fieldHelp.${field.name}`;
  const common = {
    label: t(`fields.${field.name}` as 'fields.url'),
    ...(i18n.exists(`connectors:${help}`) ? { description: t(help as 'fieldHelp.query') } : {}),
    ...(problem === undefined ? {} : { error: problem }),
  };
  const Input = INPUTS[field.form] as ComponentType<InputProps>;
  return <Input {...{ field, value, onChange, isStored, common }} />;
}

const INPUTS: {
  readonly [F in ConnectorField['form']]: ComponentType<InputProps<ConnectorField & { form: F }>>;
} = {
  text: TextField,
  lines: LinesField,
  number: NumberField,
  choice: ChoiceField,
  flag: FlagField,
  list: ListField,
  pairs: ({ value, onChange, common }) => (
    <PairsInput {...common} value={(value ?? []) as readonly Pair[]} onChange={onChange} />
  ),
  secret: SecretField,
};

function TextField({ field, value, onChange, common }: InputProps) {
  return (
    <TextInput
      {...common}
      withAsterisk={field.isRequired}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function LinesField({ value, onChange, common }: InputProps) {
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={8}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function NumberField({ field, value, onChange, common }: InputProps<ConnectorField & { form: 'number' }>) {
  return (
    <NumberInput
      {...common}
      min={field.least}
      max={field.most}
      allowDecimal={false}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  );
}

function ChoiceField({ field, value, onChange, common }: InputProps<ConnectorField & { form: 'choice' }>) {
  const { t } = useTranslation('connectors');
  const data = field.of.map((one) => ({
    value: one,
    label: t(`choices.${field.name}.${one}` as 'choices.auth.none', { defaultValue: one }),
  }));
  return <Select {...common} allowDeselect={false} value={textOf(value)} data={data} onChange={onChange} />;
}

function FlagField({ value, onChange, common }: InputProps) {
  return (
    <Switch
      {...common}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function ListField({ field, value, onChange, common }: InputProps) {
  const list = Array.isArray(value) ? (value as string[]) : [];
  return <TagsInput {...common} withAsterisk={field.isRequired} value={list} onChange={onChange} />;
}

function SecretField({ value, onChange, isStored, common }: InputProps) {
  const { t } = useTranslation('connectors');
  return (
    <PasswordInput
      {...common}
      withAsterisk={!isStored}
      autoComplete="new-password"
      placeholder={isStored ? t('secretStored') : undefined}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface PairsInputProps {
  readonly label: string;
  readonly description?: string;
  readonly error?: string;
  readonly value: readonly Pair[];
  readonly onChange: (value: readonly Pair[]) => void;
}

/** Names and values, line by line. */
function PairsInput({ label, description, error, value, onChange }: PairsInputProps) {
  const { t } = useTranslation('connectors');
  // A line has no name of its own while it is written.
  const lines = value.map((one, at) => ({ one, at, key: `line ${at}` }));
  const change = (at: number, part: Partial<Pair>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend style={{ padding: 0, fontSize: 13 }}>{label}</legend>
      {description ? <p className={classes.kindNote}>{description}</p> : null}
      {lines.map(({ one, at, key }) => (
        <div key={key} className={classes.pair}>
          <TextInput
            aria-label={t('pairName', { label, number: at + 1 })}
            value={one.name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('pairValue', { label, number: at + 1 })}
            value={one.value}
            onChange={(event) => change(at, { value: event.currentTarget.value })}
          />
          <IconButton
            label={t('pairRemove', { label, number: at + 1 })}
            size={24}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            <IconTrash size={15} />
          </IconButton>
        </div>
      ))}
      <Button
        mt={4}
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={() => onChange([...value, { name: '', value: '' }])}
      >
        {t('pairAdd')}
      </Button>
      {error ? <p style={{ color: 'var(--mantine-color-error)', fontSize: 12 }}>{error}</p> : null}
    </fieldset>
  );
}
