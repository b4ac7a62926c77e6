import { IconHome } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hasScopesToChoose } from '../../lib/landing.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { HomeLists } from './home-lists.tsx';
import classes from './home-page.module.css';
import { HomeTiles } from './home-tiles.tsx';
import { ScopeChooser } from './scope-chooser.tsx';

/** How this scope is doing, what waits for the user, and the choice of another when the user has several. */
export function HomePage() {
  const { t } = useTranslation('home');
  const session = useSignedIn();
  return (
    <PageLayout scrolls head={<PageHead icon={IconHome} title={t('title', { name: session.user.name })} />}>
      <div className={classes.page}>
        <HomeTiles />
        <HomeLists />
        {hasScopesToChoose(session) ? <ScopeChooser session={session} /> : null}
      </div>
    </PageLayout>
  );
}
