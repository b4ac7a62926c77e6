import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime, resolveZone } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';

const DAY_MS = 86_400_000;
const DAYS = [1, 7, 30, 90, 365];

interface ExpirySelectProps {
  /** Ms; null for never. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** When a suppression rule ends: never, after some days, or when it ends already. */
export function ExpirySelect({ value, onChange }: ExpirySelectProps) {
  const { t } = useTranslation('suppression');
  const { locale, timeZone } = useSettings();
  const [start] = useState(Date.now);
  const choices = DAYS.map((days) => ({
    value: String(start + days * DAY_MS),
    label: t('inDays', { count: days }),
  }));
  const isOther = value !== null && !choices.some((one) => one.value === String(value));
  const other = isOther
    ? [{ value: String(value), label: formatTime(value, 'dateTime', resolveZone(timeZone), locale) }]
    : [];
  return (
    <Select
      label={t('columns.expires')}
      data={[{ value: 'never', label: t('never') }, ...other, ...choices]}
      value={value === null ? 'never' : String(value)}
      allowDeselect={false}
      w={260}
      onChange={(next) => onChange(next === null || next === 'never' ? null : Number(next))}
    />
  );
}
