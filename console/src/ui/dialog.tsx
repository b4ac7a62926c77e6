import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A dialog that is open as long as it is mounted; afterwards the focus is where it was before. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation('ui');
  const [opener] = useState(openerOf);
  useEffect(() => () => giveFocusBack(opener), [opener]);
  return <Modal opened closeButtonProps={{ 'aria-label': t('close') }} {...props} />;
}

/** What has the focus; of an entry of a menu, which goes with the menu, the button that opened the menu. */
function openerOf(): Element | null {
  const menu = document.activeElement?.closest('[role=menu]');
  return menu ? document.querySelector(`[aria-controls="${menu.id}"]`) : document.activeElement;
}

/** Unless something else has taken the focus as the dialog went. */
function giveFocusBack(opener: Element | null): void {
  setTimeout(() => {
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement === document.body;
    if (isFree && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  });
}
