import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defang } from '../lib/artifact-text.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import classes from './foreign-address.module.css';

/** Whether an address leads to this console itself. */
function isOwn(address: string): boolean {
  try {
    return new URL(address).origin === window.location.origin;
  } catch {
    return false;
  }
}

/**
 * An address out of a text that anybody may have written. One of this console is a link. Any other is shown so that
 * nothing makes a link of it, can be copied, and opens in a new tab only after it has been read once more.
 */
export function ForeignAddress({ address, label }: { readonly address: string; readonly label?: string }) {
  const { t } = useTranslation('ui');
  const [isAsked, setAsked] = useState(false);
  if (isOwn(address)) {
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {label ?? address}
      </a>
    );
  }
  return (
    <>
      <span className={classes.address}>
        {label === undefined ? null : <>{label} </>}
        <button
          type="button"
          className={classes.open}
          title={t('foreign.title')}
          onClick={() => setAsked(true)}
        >
          {defang(address)}
        </button>
        <CopyButton value={address} />
      </span>
      {isAsked ? <OpenDialog address={address} onClose={() => setAsked(false)} /> : null}
    </>
  );
}

function OpenDialog({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const { t } = useTranslation('ui');
  return (
    <Dialog onClose={onClose} title={t('foreign.title')}>
      <Stack gap={12}>
        <Text size="sm">{t('foreign.text')}</Text>
        <code className={classes.whole}>{defang(address)}</code>
        <DialogActions onCancel={onClose}>
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={onClose}
          >
            {t('foreign.open')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
