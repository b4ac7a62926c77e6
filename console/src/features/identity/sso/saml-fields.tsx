import { Button, FileButton, Group, Text, Textarea, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { InputOf, SamlProvider, saveSsoSettings } from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';

interface SamlFieldsProps {
  readonly stored: SamlProvider | null;
  readonly disabled: boolean;
  readonly onChange: (settings: InputOf<typeof saveSsoSettings> | null) => void;
}

/** The metadata of the provider, by its address, pasted or read from a file, and what stands in the stored one. */
export function SamlFields({ stored, disabled, onChange }: SamlFieldsProps) {
  const { t } = useTranslation('sso');
  const [metadata, setMetadata] = useState('');
  const [address, setAddress] = useState(stored?.metadata_url ?? '');
  useUnsavedWork(metadata !== '' || address !== (stored?.metadata_url ?? ''));
  // Saving a stored address again reads it again: certificates are replaced from time to time.
  useEffect(() => {
    if (stored?.metadata_url) onChange({ kind: 'saml', metadata_url: stored.metadata_url });
  }, [stored?.metadata_url, onChange]);
  const change = (text: string) => {
    setMetadata(text);
    setAddress('');
    onChange(text.trim() === '' ? null : { kind: 'saml', metadata: text });
  };
  const changeAddress = (text: string) => {
    setAddress(text);
    setMetadata('');
    onChange(text.trim() === '' ? null : { kind: 'saml', metadata_url: text.trim() });
  };
  return (
    <>
      {stored ? (
        <Text size="sm">
          {t('settings.storedSaml', { entity: stored.entity_id, count: stored.certificates.length })}
        </Text>
      ) : null}
      <TextInput
        type="url"
        label={t('settings.metadataUrl')}
        description={t('settings.metadataUrlHelp')}
        value={address}
        onChange={(event) => changeAddress(event.currentTarget.value)}
        disabled={disabled}
      />
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
