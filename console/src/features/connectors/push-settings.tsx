import { Alert, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './connectors.module.css';
import { snippetOf } from './push-snippets.ts';

/** What was made for a sender. */
export interface Issued {
  readonly kind: string;
  /** Null: this kind was made without one. */
  readonly token: string | null;
}

/** The token, this once, and settings for the sender. */
export function PushSettingsDialog({
  issued,
  onClose,
}: {
  readonly issued: Issued;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('connectors');
  return (
    <Dialog title={t('sender')} size="lg" onClose={onClose} closeOnClickOutside={false}>
      {issued.token === null ? null : (
        <Alert color="gray" variant="light" p={10} mb={12} title={t('tokenOnce')}>
          <Group gap={8} wrap="nowrap">
            <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {issued.token}
            </Text>
            <CopyButton value={issued.token} />
          </Group>
        </Alert>
      )}
      <PushSettings {...issued} />
    </Dialog>
  );
}

/** Settings of a sender, ready to be pasted; with `<token>` where the token is not known any more. */
export function PushSettings({ kind, token }: Issued) {
  const { t } = useTranslation('connectors');
  const snippet = snippetOf(kind, { token: token ?? '<token>', host: window.location.hostname });
  if (snippet === null) return null;
  return (
    <section aria-label={t('sender')}>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {snippet.program}
        </Text>
        <CopyButton value={snippet.text} />
      </Group>
      <pre className={classes.snippet}>{snippet.text}</pre>
    </section>
  );
}
