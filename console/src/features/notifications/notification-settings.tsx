import { Loader, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listNotificationSwitches, type NotificationSwitch, setNotificationSwitch } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import classes from './notification-settings.module.css';

/** Of what the user is told, in the console and by mail. Stands by itself: a page or a dialog mounts it. */
export function NotificationSettings() {
  const { t } = useTranslation('notifications');
  const switches = useQuery(callQuery(listNotificationSwitches, {}, { quiet: true }));
  const set = useCallMutation(setNotificationSwitch, { stale: [listNotificationSwitches] });
  if (switches.isLoadingError) {
    return <ErrorPanel error={switches.error} onRetry={() => void switches.refetch()} />;
  }
  if (!switches.data) return <Loader size="xs" />;
  const { data, mail_is_set_up, mails_per_hour } = switches.data;
  // What was just set is shown at once; the answer of the server follows.
  const shown = (one: NotificationSwitch) =>
    set.isPending && set.variables.input.kind === one.kind ? set.variables.input : one;
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('settings.kind')}</th>
            <th scope="col">{t('settings.in_console')}</th>
            <th scope="col">{t('settings.by_mail')}</th>
          </tr>
        </thead>
        <tbody>
          {data.map(shown).map((one) => (
            <tr key={one.kind}>
              <th scope="row">
                {t(`kind.${one.kind}.title`)}
                <span className={classes.help}>{t(`kind.${one.kind}.help`)}</span>
              </th>
              {(['in_console', 'by_mail'] as const).map((way) => (
                <td key={way}>
                  <Switch
                    aria-label={`${t(`kind.${one.kind}.title`)}: ${t(`settings.${way}`)}`}
                    checked={one[way]}
                    onChange={({ currentTarget: { checked } }) =>
                      set.mutate({ input: { ...one, [way]: checked } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt="sm">
        {mail_is_set_up ? t('settings.limit', { count: mails_per_hour }) : t('settings.noMail')}
      </Text>
    </>
  );
}
