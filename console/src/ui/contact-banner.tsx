import { useQueryClient } from '@tanstack/react-query';
import { platformState } from '@tyrian/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { tellContact, tellLost, useContact } from '../lib/server-contact.ts';
import classes from './contact-banner.module.css';

const ASK_AFTER_MS = 1500;

/**
 * Says above every page that the server does not answer, keeps asking, and reads again what is shown once it does.
 * Pages stay as they are meanwhile, with all that is typed in them.
 */
export function ContactBanner() {
  const { t } = useTranslation('ui');
  const contact = useContact();
  const queries = useQueryClient();
  const wasLost = useRef(false);
  const isAsking = contact !== 'heard';
  useEffect(() => {
    if (!isAsking) return;
    const timer = setInterval(
      () =>
        void fetch(platformState.path).then(
          () => tellContact(true),
          () => tellLost(),
        ),
      ASK_AFTER_MS,
    );
    return () => clearInterval(timer);
  }, [isAsking]);
  useEffect(() => {
    if (contact === 'heard' && wasLost.current) void queries.invalidateQueries();
    wasLost.current = contact === 'lost' || (contact === 'doubt' && wasLost.current);
  }, [contact, queries]);
  return contact === 'lost' ? (
    <div role="status" className={classes.banner}>
      {t('error.lost')}
    </div>
  ) : null;
}
