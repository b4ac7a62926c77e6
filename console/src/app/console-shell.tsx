import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { CaseNotesPanel } from '../features/cases/case-notes-panel.tsx';
import { useNotesPanel } from '../features/cases/notes-panel-store.ts';
import { MaintenanceBanner } from '../features/identity/public.ts';
import { openAgreement } from '../features/identity/sign-in/agreement-path.ts';
import { useLive } from '../features/live/public.ts';
import { type Session, useSession } from '../lib/session-store.ts';
import { changeSettings, useSettings } from '../lib/settings.ts';
import { ContactBanner } from '../ui/contact-banner.tsx';
import { CommandPalette } from './command-palette.tsx';
import classes from './console-shell.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { LeftMenu } from './left-menu.tsx';
import { NavigationOverlay } from './route-loading.tsx';
import { SCREENS } from './screens.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { showsNotes, TopBar } from './top-bar.tsx';
import { useGlobalKeys } from './use-global-keys.ts';
import { useScreenSize } from './use-screen-size.ts';
import { useSwipe } from './use-swipe.ts';

// The frame of every page of a signed-in user: a way past everything that is the same on all of them, top bar, left menu, the page, the notes drawer. Under 1024 px the
// menu is collapsed, under 768 px it is a drawer that a swipe opens.

export function ConsoleShell() {
  const session = useSession();
  const location = useLocation();
  if (!session || openAgreement(session)) {
    return (
      <main className={classes.bare}>
        <Outlet />
      </main>
    );
  }
  return <SignedInShell key={session.user.id} session={session} pathname={location.pathname} />;
}

interface SignedInShellProps {
  readonly session: Session;
  readonly pathname: string;
}

function SignedInShell({ session, pathname }: SignedInShellProps) {
  const { t } = useTranslation('app');
  const settings = useSettings();
  const size = useScreenSize();
  const notes = useNotesPanel();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const page = useRef<HTMLElement>(null);
  const isCollapsed = size === 'narrow' || (size === 'wide' && settings.menuCollapsed);
  const showKeys = useCallback(() => setKeysShown(true), []);
  const showPalette = useCallback(() => setPaletteOpen(true), []);
  useGlobalKeys({ showSheet: showKeys, showPalette, hasScreen });
  useSwipe(frame, size === 'mobile', setMenuOpen);
  useLive();
  const toggleMenu = () => {
    if (size === 'mobile') setMenuOpen((open) => !open);
    else changeSettings({ menuCollapsed: !settings.menuCollapsed });
  };
  return (
    <div ref={frame} className={classes.shell}>
      <button type="button" className={classes.skip} onClick={() => page.current?.focus()}>
        {t('skip')}
      </button>
      <TopBar
        onToggleMenu={toggleMenu}
        isMobile={size === 'mobile'}
        onShowKeys={showKeys}
        onShowPalette={showPalette}
      />
      <ContactBanner />
      <MaintenanceBanner />
      <div className={classes.below}>
        <LeftMenu
          mode={size === 'mobile' ? 'drawer' : isCollapsed ? 'collapsed' : 'full'}
          isOpen={isMenuOpen}
          onClose={() => setMenuOpen(false)}
        />
        <main ref={page} className={classes.main} tabIndex={-1}>
          <div key={pageKey(pathname)} className={classes.page}>
            <Outlet />
          </div>
          <NavigationOverlay />
        </main>
        {notes.open === 'drawer' && showsNotes(session) ? <CaseNotesPanel mode="drawer" /> : null}
      </div>
      <LeaveGuard />
      <ShortcutSheet isOpen={areKeysShown} onClose={() => setKeysShown(false)} />
      <CommandPalette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} onShowKeys={showKeys} />
    </div>
  );
}

const hasScreen = (routeName: string) => SCREENS[routeName] !== undefined;

/** Pages fade in when the screen changes, not when a parameter of it does. */
function pageKey(pathname: string): string {
  return pathname.split('/').slice(0, 5).join('/');
}
