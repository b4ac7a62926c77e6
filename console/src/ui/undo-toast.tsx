import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';

const UNDO_MS = 8000;

/** Tells what was done and offers to undo it for 8 s. The returned function takes the offer away. */
export function showUndo(done: string, onUndo: () => void): () => void {
  const id = `undo-${Date.now()}`;
  notifications.show({
    id,
    autoClose: UNDO_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
    color: 'teal',
    title: done,
    message: (
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          notifications.hide(id);
          onUndo();
        }}
      >
        {i18next.t('ui:undo')}
      </Anchor>
    ),
  });
  return () => notifications.hide(id);
}
