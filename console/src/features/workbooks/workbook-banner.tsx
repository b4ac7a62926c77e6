import { Button } from '@mantine/core';
import { IconInfoCircle, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import styles from './workbook-banner.module.css';

/** Why the page can't be changed, or that somebody saved a newer version meanwhile. */
export function WorkbookBanner({ editor }: { readonly editor: WorkbookEditor }) {
  const { t } = useTranslation('workbooks');
  const { fixed, workbook, newerVersion, isDirty } = editor;
  if (newerVersion !== null) {
    return (
      <div className={styles.banner} role="status">
        <IconInfoCircle size={16} aria-hidden />
        <span>
          {t(isDirty ? 'banner.newerDirty' : 'banner.newer', {
            version: newerVersion,
            author: workbook?.properties.author,
          })}
        </span>
        <Button variant="default" size="compact-xs" onClick={editor.adopt}>
          {t('banner.take', { version: newerVersion })}
        </Button>
      </div>
    );
  }
  const isOwnLock = !fixed && workbook?.properties.locked;
  if (!fixed && !isOwnLock) return null;
  return (
    <div className={styles.banner} role="status">
      <IconLock size={16} aria-hidden />
      <span>{t(`banner.${fixed ?? 'ownLock'}`, { by: workbook?.properties.locked_by ?? '' })}</span>
    </div>
  );
}
