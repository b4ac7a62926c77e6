import { Button, Group, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Agreement, acceptEula, acceptPolicy } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router';
import { type CallError, call } from '../../../lib/call.ts';
import { landingTarget } from '../../../lib/landing.ts';
import { goAndReload } from '../../../lib/page-reload.ts';
import { loadPreferences } from '../../../lib/preferences.ts';
import { serverText } from '../../../lib/server-text.ts';
import { type Session, useSignedIn } from '../../../lib/session-store.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import classes from './agreement-page.module.css';
import { agreementPath, openAgreement } from './agreement-path.ts';
import { endSession } from './end-session.ts';
import { readAccess } from './refresh-access.ts';

/** The text is longer than most screens: the arrow keys scroll it once the keyboard has reached it. */
const REACHED_BY_TAB = 0;
const SECTIONS = { eula: 5, policy: 6 } as const;

/** The licence agreement or the privacy policy, to accept before anything else; later, to read again. */
export function AgreementPage() {
  const session = useSignedIn();
  const { url } = useParams();
  const due = openAgreement(session);
  // The address names one; what is due comes first.
  const shown: Agreement = due ?? (url === 'eula' ? 'eula' : 'policy');
  if (url !== shown) return <Navigate to={agreementPath(session, shown)} replace />;
  return <AgreementText key={shown} session={session} shown={shown} isDue={due !== null} />;
}

interface AgreementTextProps {
  readonly session: Session;
  readonly shown: Agreement;
  readonly isDue: boolean;
}

function AgreementText({ session, shown, isDue }: AgreementTextProps) {
  const { t } = useTranslation('agreement');
  const accept = useMutation<void, CallError>({
    mutationFn: () => acceptAndGoOn(session, shown),
    meta: { quiet: true },
  });
  return (
    <article className={classes.page} aria-labelledby="agreement-title">
      <div className={classes.text} tabIndex={REACHED_BY_TAB}>
        <Title order={1} id="agreement-title">
          {t(`${shown}.title`)}
        </Title>
        {Array.from({ length: SECTIONS[shown] }, (_, at) => at + 1).map((number) => (
          <section key={number}>
            <Title order={2}>{t(`${shown}.s${number}.title`)}</Title>
            <p>{t(`${shown}.s${number}.text`)}</p>
          </section>
        ))}
      </div>
      {isDue ? (
        <footer className={classes.foot}>
          {accept.error ? <FormProblem>{serverText(accept.error) || t('failed')}</FormProblem> : null}
          <Group gap={8}>
            <Button loading={accept.isPending} onClick={() => accept.mutate()}>
              {t('accept')}
            </Button>
            <Button variant="default" onClick={() => void endSession('logout')}>
              {t('decline')}
            </Button>
          </Group>
        </footer>
      ) : null}
    </article>
  );
}

/** Accepts on the server, keeps it in the session, and goes to what is due next or to the page asked for before. */
async function acceptAndGoOn(session: Session, shown: Agreement): Promise<void> {
  const { user } = session;
  if (shown === 'eula') await call(acceptEula, { input: {} });
  else await call(acceptPolicy, { params: { user_id: user.id }, input: { isPolicyAccepted: true } });
  // The answer of the server, not what is stored here, says whether something is still due.
  const after = await readAccess(session);
  const next = openAgreement(after);
  if (next) {
    await goAndReload(agreementPath(after, next));
    return;
  }
  await loadPreferences();
  const intended = readStored<string>('acceptPath') ?? null;
  writeStored('acceptPath', undefined);
  await goAndReload(intended ?? landingTarget(after, null));
}
