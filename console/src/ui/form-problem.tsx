import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Why a form did not go through, above its fields; read out when it appears. */
export function FormProblem({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="red" variant="light" p={10} role="alert">
      {children}
    </Alert>
  );
}
