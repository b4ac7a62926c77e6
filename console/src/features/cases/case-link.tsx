import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';

/** Path of a case at the present place. */
export function useCasePath(): (caseId: string) => string {
  const scope = useScope();
  return (caseId) => scopePath(scope, `/incident/cases/${encodeURIComponent(caseId)}`);
}

/** A case's key and name as a link to it. */
export function CaseLink({
  caseId,
  caseKey,
  name,
}: {
  readonly caseId: string;
  readonly caseKey: string;
  readonly name: string;
}) {
  const path = useCasePath();
  return (
    <Anchor component={Link} to={path(caseId)} inherit>
      {caseKey} {name}
    </Anchor>
  );
}
