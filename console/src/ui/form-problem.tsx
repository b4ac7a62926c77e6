import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../lib/call.ts';
import { serverText } from '../lib/server-text.ts';

/** Why a form did not go through, above its fields; read out when it appears. */
export function FormProblem({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="red" variant="light" p={10} role="alert">
      {children}
    </Alert>
  );
}

/** What the server said to a form that was sent; nothing as long as it has refused nothing. */
export function CallProblem({ error }: { readonly error: CallError | null }) {
  const { t } = useTranslation('ui');
  return error ? <FormProblem>{serverText(error) || t('error.unknown')}</FormProblem> : null;
}
