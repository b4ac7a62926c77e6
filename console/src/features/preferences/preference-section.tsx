import { SegmentedControl, Select, Switch } from '@mantine/core';
import { DENSITIES, LOCALES, THEMES } from '@tyrian/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { hasSecurityRole, startPages } from '../../lib/landing.ts';
import { LANGUAGE_NAMES } from '../../lib/language-names.ts';
import { changePreferences } from '../../lib/preferences.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx';
import classes from './preference-section.module.css';

/** How the console looks and where it opens. A change holds at once, and in every browser of the user. */
export function PreferenceSection() {
  const { t } = useTranslation('auth');
  const settings = useSettings();
  const session = useSignedIn();
  return (
    <SettingsSection title={t('settings.preferences')} help={t('settings.preferencesHelp')}>
      <Select
        label={t('app:userMenu.language')}
        data={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={settings.locale}
        onChange={(value) => {
          const locale = LOCALES.find((one) => one === value);
          if (locale) changePreferences({ locale });
        }}
        allowDeselect={false}
        maw={320}
      />
      <Choice
        label={t('settings.theme')}
        options={THEMES}
        nameOf={(theme) => t(`settings.themes.${theme}`)}
        value={settings.theme}
        onChange={(theme) => changePreferences({ theme })}
      />
      <div>
        <span className={classes.label}>{t('ui:range.zone')}</span>
        <TimeZoneSelect />
      </div>
      <Choice
        label={t('settings.density')}
        options={DENSITIES}
        nameOf={(density) => t(`ui:table.densities.${density}`)}
        value={settings.density}
        onChange={(density) => changePreferences({ density })}
      />
      {hasSecurityRole(session) ? (
        <Select
          label={t('settings.startPage')}
          description={t('settings.startPageHelp')}
          data={startPages(session).map((value) => ({ value, label: t(`app:menu.${value}`) }))}
          value={settings.startPage}
          onChange={(value) => {
            const startPage = startPages(session).find((one) => one === value);
            if (startPage) changePreferences({ startPage });
          }}
          allowDeselect={false}
          maw={320}
        />
      ) : null}
      <Switch
        checked={settings.shortcuts}
        onChange={(event) => changePreferences({ shortcuts: event.currentTarget.checked })}
        label={t('settings.shortcuts')}
      />
    </SettingsSection>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly T[];
  readonly nameOf: (option: T) => string;
  readonly value: T;
  readonly onChange: (option: T) => void;
}

/** One of a few, all of them in sight. */
function Choice<T extends string>({ label, options, nameOf, value, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div>
      <span id={id} className={classes.label}>
        {label}
      </span>
      <SegmentedControl
        aria-labelledby={id}
        data={options.map((option) => ({ value: option, label: nameOf(option) }))}
        value={value}
        onChange={(next) => onChange(next as T)}
      />
    </div>
  );
}
