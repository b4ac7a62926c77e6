import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedWork } from '../lib/unsaved-work.ts';
import { SettingsSection } from './settings-section.tsx';

interface NameSectionProps {
  readonly title: string;
  /** As it is stored; give the section a key by it, so that it starts anew when it changes. */
  readonly name: string;
  readonly mayChange: boolean;
  readonly isSaving: boolean;
  readonly onSave: (name: string) => void;
  /** Below the name. */
  readonly children?: ReactNode;
}

/** The part of a settings page that renames the thing; Save comes with the first change. */
export function NameSection({ title, name, mayChange, isSaving, onSave, children }: NameSectionProps) {
  const { t } = useTranslation('ui');
  const [typed, setTyped] = useState(name);
  const isChanged = typed.trim() !== '' && typed.trim() !== name;
  useUnsavedWork(isChanged);
  return (
    <SettingsSection
      title={title}
      actions={
        isChanged && mayChange ? (
          <Button loading={isSaving} onClick={() => onSave(typed)}>
            {t('save')}
          </Button>
        ) : null
      }
    >
      <TextInput
        aria-label={title}
        value={typed}
        readOnly={!mayChange}
        maxLength={128}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {children}
    </SettingsSection>
  );
}
