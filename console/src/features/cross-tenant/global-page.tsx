import { Navigate, useParams } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { GlobalCases } from './global-cases.tsx';
import { GlobalSignals } from './global-signals.tsx';

/** Signals or cases of every cluster and scope in which the user works. */
export function GlobalPage() {
  const { option } = useParams();
  const current = useScope();
  if (option === 'cases') return <GlobalCases />;
  if (option === 'signals') return <GlobalSignals />;
  return <Navigate to={scopePath(current, '/admin/global/signals')} replace />;
}
