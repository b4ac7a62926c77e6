import { Button, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveZone } from '../lib/format-time.ts';
import { changePreferences } from '../lib/preferences.ts';
import { useSettings } from '../lib/settings.ts';
import classes from './time-range-picker.module.css';

/** The zone in which every time is shown; UTC and the own zone are one click away. */
export function TimeZoneSelect() {
  const { t } = useTranslation('ui');
  const { timeZone } = useSettings();
  const zones = useMemo(zoneNames, []);
  const choose = (zone: string) => changePreferences({ timeZone: zone });
  return (
    <div className={classes.zones}>
      <Select
        aria-label={t('range.zone')}
        data={zones}
        value={resolveZone(timeZone)}
        onChange={(zone) => zone && choose(zone)}
        searchable
        allowDeselect={false}
        limit={60}
        className={classes.zoneSelect}
        comboboxProps={{ withinPortal: false }}
      />
      <Button variant="subtle" color="gray" onClick={() => choose('UTC')}>
        UTC
      </Button>
      <Button variant="subtle" color="gray" onClick={() => choose('local')}>
        {t('range.local')}
      </Button>
    </div>
  );
}

function zoneNames(): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', resolveZone('local'), ...known])];
}
