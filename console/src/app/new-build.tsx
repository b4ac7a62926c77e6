import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { goAndReload, reloadPage } from '../lib/page-reload.ts';

// A browser that has been open while a new version was installed asks for files that are gone. The user is offered to
// load the page anew, and decides when: nothing that is typed is lost by itself.

const ID = 'new-build';
let wanted: string | null = null;

/** Thrown where there is no page to stay on. */
export class ScreenGoneError extends Error {}

/** Offers to load anew, once; `path` is the page that the user wanted. */
export function offerReload(path: string | null = null): void {
  wanted = path ?? wanted;
  notifications.show({
    id: ID,
    autoClose: false,
    withBorder: true,
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
    color: 'yellow',
    title: i18next.t('app:newBuild.title'),
    message: (
      <>
        {i18next.t('app:newBuild.text')}{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => void (wanted === null ? reloadPage() : goAndReload(wanted))}
        >
          {i18next.t('app:reload')}
        </Anchor>
      </>
    ),
  });
}

/** Offers it too when a part of a page, such as the editor, cannot be loaded. */
export function watchMissingFiles(): void {
  window.addEventListener('vite:preloadError', () => offerReload());
}
