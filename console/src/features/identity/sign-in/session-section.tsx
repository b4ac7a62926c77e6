import { Alert, Badge, Button } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endSessions, listSessions, type SessionItem } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { serverText } from '../../../lib/server-text.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { browserName } from './browser-name.ts';
import classes from './settings-page.module.css';

/** One's own open sessions; each can be ended, and all but this one at once. */
export function SessionSection() {
  const { t } = useTranslation('auth');
  const sessions = useQuery(callQuery(listSessions, {}));
  const end = useCallMutation(endSessions, { stale: [listSessions] });
  const endThem = (session_ids: 'others' | string[]) =>
    end.mutate(
      { input: { session_ids } },
      { onSuccess: ({ ended }) => notify('done', t('sessions.ended', { count: ended })) },
    );
  if (sessions.error)
    return <Alert color="red">{serverText(sessions.error) || t('connectionsFailed')}</Alert>;
  if (!sessions.data) return null;
  const { data } = sessions.data;
  return (
    <SettingsSection title={t('sessions.title')} help={t('sessions.help')}>
      <ul className={classes.rows}>
        {data.map((session) => (
          <SessionRow
            key={session.session_id}
            session={session}
            onEnd={() => endThem([session.session_id])}
          />
        ))}
      </ul>
      {data.some((session) => !session.is_current) ? (
        <Button variant="default" loading={end.isPending} onClick={() => endThem('others')}>
          {t('sessions.endOthers')}
        </Button>
      ) : null}
    </SettingsSection>
  );
}

function SessionRow({ session, onEnd }: { readonly session: SessionItem; readonly onEnd: () => void }) {
  const { t } = useTranslation('auth');
  const factor = session.second_factor ? t(`sessions.factor.${session.second_factor}`) : null;
  const how = [t(`sessions.method.${session.method}`), factor].filter(Boolean).join(' + ');
  return (
    <li>
      <IconDevices size={18} aria-hidden />
      <div className={classes.row}>
        <p title={session.user_agent}>
          {browserName(session.user_agent) ?? t('sessions.unknownAgent')} · {session.source} · {how}
        </p>
        <p>
          {t('sessions.seenOn')} <TimeStamp time={session.last_seen} /> · {t('sessions.sinceOn')}{' '}
          <TimeStamp time={session.created} />
        </p>
      </div>
      {session.is_current ? (
        <Badge variant="light">{t('sessions.current')}</Badge>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={t('sessions.endWhat', { source: session.source })}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
