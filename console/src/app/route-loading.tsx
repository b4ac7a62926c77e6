import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router';
import classes from './route-loading.module.css';

const SHOW_AFTER_MS = 150;
const LONGEST_MS = 3000;

/** The first paint while the first screen loads. */
export function RouteLoading() {
  return <LoadingCover />;
}

/** An overlay while the next screen loads; it goes after 3 s even if the screen does not come. */
export function NavigationOverlay() {
  const busy = useNavigation().state === 'loading';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!busy) return setShown(false);
    const show = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    const hide = setTimeout(() => setShown(false), LONGEST_MS);
    return () => {
      clearTimeout(show);
      clearTimeout(hide);
    };
  }, [busy]);
  return shown ? <LoadingCover /> : null;
}

function LoadingCover() {
  const { t } = useTranslation('app');
  return (
    <div className={classes.cover} role="status" aria-label={t('loading')}>
      <Loader size="sm" type="dots" />
    </div>
  );
}
