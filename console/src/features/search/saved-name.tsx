import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './saved-name.module.css';
import type { Library } from './use-library.tsx';

/** The saved query that the text comes from, and a way to keep what was changed. */
export function SavedName({ library }: { readonly library: Library }) {
  const { t } = useTranslation('search');
  const { saved, isChanged } = library;
  if (!saved) return null;
  return (
    <span className={styles.saved}>
      <span className={styles.divider} aria-hidden>
        /
      </span>
      <span className={styles.name} title={saved.description || saved.name}>
        {saved.name}
      </span>
      {isChanged && (
        <>
          <span className={styles.changed}>{t('library.changed')}</span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={saved.editable ? () => library.onCommand('save') : library.openSave}
          >
            {t(saved.editable ? 'save.save' : 'save.asNew')}
          </Button>
        </>
      )}
    </span>
  );
}
