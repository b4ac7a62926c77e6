import { Anchor, Loader, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { verifySsoToken } from '@tyrian/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { type CallError, call } from '../../../lib/call.ts';
import { writeStored } from '../../../lib/storage.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { AuthCard } from '../sign-in/auth-card.tsx';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';

/** Where the browser lands after the identity provider: progress, then the session, a second step, or the way back. */
export function SsoTokenPage() {
  const { t } = useTranslation('sso');
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const exchange = useMutation<string | null, CallError>({
    mutationFn: async () => {
      const answer = await call(verifySsoToken, { params: { token }, input: {}, sessionFlow: true });
      writeStored('prefs.signedInBy', 'sso');
      return completeSignIn(answer, '');
    },
    meta: { quiet: true },
    onSuccess: (next) => {
      if (next) void navigate(next, { replace: true });
    },
  });
  const { mutate } = exchange;
  // A token is good once: asking twice, as React does while developing, would spend it.
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    mutate();
  }, [mutate]);
  return (
    <AuthCard title={t('token.title')}>
      {exchange.isError ? (
        <>
          <FormProblem>
            {exchange.error.kind === 'network' ? t('token.network') : t('token.failed')}
          </FormProblem>
          <Anchor component={Link} to="/auth/login" size="sm">
            {t('token.back')}
          </Anchor>
        </>
      ) : (
        <div role="status">
          <Loader size="sm" type="dots" />
          <Text size="sm" c="dimmed">
            {t('token.progress')}
          </Text>
        </div>
      )}
    </AuthCard>
  );
}
