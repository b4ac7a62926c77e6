import { Kbd, Modal, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changePreferences } from '../lib/preferences.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { useSettings } from '../lib/settings.ts';
import { shortcutsFor } from './shortcut-list.ts';
import classes from './shortcut-sheet.module.css';

/** The sheet of keyboard shortcuts, with the switch that turns single keys off. */
export function ShortcutSheet({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('app');
  const { shortcuts } = useSettings();
  const session = useSignedIn();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={720}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Switch
        checked={shortcuts}
        onChange={(event) => changePreferences({ shortcuts: event.currentTarget.checked })}
        label={t('keys.switch')}
        mb="sm"
      />
      <div className={classes.groups}>
        {shortcutsFor(session).map((group) => (
          <section key={group.name} className={classes.group} aria-label={t(`keys.groups.${group.name}`)}>
            <h2 className={classes.caption}>{t(`keys.groups.${group.name}`)}</h2>
            <dl className={classes.list}>
              {group.shortcuts.map((one) => (
                <div key={one.keys.join(' ')} className={classes.row}>
                  <dt>{t(`keys.${one.text}`, { screen: one.screen ? t(`menu.${one.screen}`) : '' })}</dt>
                  <dd className={classes.keys}>
                    {one.keys.map((name) => (
                      <Kbd key={name} size="xs">
                        {name}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
