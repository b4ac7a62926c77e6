import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { InputOf, SamlProvider, saveSsoSettings } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface SamlFieldsProps {
  readonly stored: SamlProvider | null;
  readonly disabled: boolean;
  readonly onChange: (settings: InputOf<typeof saveSsoSettings> | null) => void;
}

/** The metadata document of the provider, pasted or read from a file, and what stands in the stored one. */
export function SamlFields({ stored, disabled, onChange }: SamlFieldsProps) {
  const { t } = useTranslation('sso');
  const [metadata, setMetadata] = useState('');
  const change = (text: string) => {
    setMetadata(text);
    onChange(text.trim() === '' ? null : { kind: 'saml', metadata: text });
  };
  return (
    <>
      {stored ? (
        <Text size="sm">
          {t('settings.storedSaml', { entity: stored.entity_id, count: stored.certificates.length })}
        </Text>
      ) : null}
      <Textarea
        label={t('settings.metadata')}
        description={t('settings.metadataHelp')}
        value={metadata}
        onChange={(event) => change(event.currentTarget.value)}
        disabled={disabled}
        minRows={5}
        maxRows={12}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)' } }}
      />
      <Group gap={8}>
        <FileButton
          accept=".xml,application/xml,text/xml"
          onChange={(file) => void file?.text().then(change)}
          inputProps={{ 'aria-label': t('settings.file') }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={disabled}
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              {t('settings.file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </>
  );
}
