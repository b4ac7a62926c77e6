import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';

const UNDO_MS = 8000;

/** The offer that stands last; `undoLast` takes it. */
let lastOffer: { readonly id: string; readonly take: () => void } | null = null;

/** Takes the offer of the last toast that still stands, as a key does. */
export function undoLast(): void {
  lastOffer?.take();
}

/** Tells what was done and offers to undo it for 8 s. The returned function takes the offer away. */
export function showUndo(done: string, onUndo: () => void): () => void {
  const id = `undo-${Date.now()}`;
  const forget = () => {
    if (lastOffer?.id === id) lastOffer = null;
  };
  const take = () => {
    forget();
    notifications.hide(id);
    onUndo();
  };
  lastOffer = { id, take };
  notifications.show({
    id,
    autoClose: UNDO_MS,
    onClose: forget,
    withBorder: true,
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
    color: 'teal',
    title: done,
    message: (
      <Anchor component="button" type="button" size="sm" onClick={take}>
        {i18next.t('ui:undo')}
      </Anchor>
    ),
  });
  return () => notifications.hide(id);
}
