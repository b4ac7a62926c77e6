import { IconKeyboard, IconMenu2, IconNotes, IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { toggleNotesPanel } from '../features/cases/notes-panel-store.ts';
import { NotificationMenu } from '../features/notifications/public.ts';
import { PRODUCT_NAME } from '../lib/app-version.ts';
import { hasSecurityRole } from '../lib/landing.ts';
import { type Session, useSignedIn } from '../lib/session-store.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ClusterSelect, ScopeSelect } from './scope-selects.tsx';
import classes from './top-bar.module.css';
import { UserMenu } from './user-menu.tsx';

interface TopBarProps {
  readonly isMobile: boolean;
  readonly onToggleMenu: () => void;
  readonly onShowKeys: () => void;
  readonly onShowPalette: () => void;
}

/** Product name and type, cluster and scope, notes, notifications, the user. */
export function TopBar({ isMobile, onToggleMenu, onShowKeys, onShowPalette }: TopBarProps) {
  const { t } = useTranslation('app');
  const session = useSignedIn();
  const { pathname } = useLocation();
  const brand = (
    <>
      <span className={classes.mark} aria-hidden />
      <span className={classes.name}>{PRODUCT_NAME}</span>
      {session.productType ? <span className={classes.type}>{session.productType.toUpperCase()}</span> : null}
    </>
  );
  return (
    <header className={classes.bar}>
      <IconButton label={t('menu.toggle')} onClick={onToggleMenu}>
        <IconMenu2 size={18} />
      </IconButton>
      {hasSecurityRole(session) ? (
        <Link to="/" className={classes.brand}>
          {brand}
        </Link>
      ) : (
        <span className={classes.brand}>{brand}</span>
      )}
      <ClusterSelect />
      {hidesScope(pathname) ? null : <ScopeSelect />}
      <div className={classes.right}>
        <PaletteButton isMobile={isMobile} onClick={onShowPalette} />
        {showsNotes(session) ? (
          <IconButton label={t('topBar.notes')} onClick={toggleNotesPanel}>
            <IconNotes size={18} />
          </IconButton>
        ) : null}
        {isMobile ? null : (
          <IconButton label={t('keys.title')} onClick={onShowKeys}>
            <IconKeyboard size={18} />
          </IconButton>
        )}
        <NotificationMenu />
        <UserMenu />
      </div>
    </header>
  );
}

/** The way into the palette for the mouse: a field to look at, an icon on a phone. */
function PaletteButton({ isMobile, onClick }: { readonly isMobile: boolean; readonly onClick: () => void }) {
  const { t } = useTranslation('app');
  if (isMobile) {
    return (
      <IconButton label={t('palette.title')} onClick={onClick}>
        <IconSearch size={18} />
      </IconButton>
    );
  }
  return (
    <button type="button" className={classes.palette} onClick={onClick} title={t('palette.title')}>
      <IconSearch size={14} aria-hidden />
      <span className={classes.paletteText}>{t('palette.button')}</span>
      <kbd className={classes.paletteKey}>{PALETTE_KEY}</kbd>
    </button>
  );
}

const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

const WITHOUT_SCOPE = [
  '/admin/clusters',
  '/admin/user',
  '/admin/organizations',
  '/admin/components',
  '/admin/jobs',
  '/admin/smtp',
  '/admin/switchboard',
];

/** Pages about the whole platform have no scope selector. */
function hidesScope(pathname: string): boolean {
  return WITHOUT_SCOPE.some((part) => `${pathname}/`.includes(`${part}/`));
}

/** Notes are for those who work on cases: not for viewers, administrators without a security role, or no access. */
export function showsNotes(session: Session): boolean {
  return hasSecurityRole(session);
}
