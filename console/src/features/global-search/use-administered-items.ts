import { useDebouncedValue } from '@mantine/hooks';
import { IconBuilding, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { platformSearch } from '@tyrian/contract';
import { useNavigate } from 'react-router';
import { mayOpen } from '../../lib/landing.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import type { FoundItems, PaletteItem } from './palette-item.ts';

const TYPING_MS = 180;
const SHORTEST = 2;

/** The organizations and people that the caller administers: each leads to its page. */
export function useAdministeredItems(typed: string): FoundItems {
  const session = useSignedIn();
  const navigate = useNavigate();
  const text = typed.trim();
  const [query] = useDebouncedValue(text, TYPING_MS);
  const isAsked = mayOpen(session, 'organization') && text.length >= SHORTEST;
  const found = useQuery({
    ...callQuery(platformSearch, { query }, { enabled: isAsked && query.length >= SHORTEST, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const { clusterId, scope_id: scopeId } = session.user;
  const organization = (orgId: string) => `/admin/organizations/${encodeURIComponent(orgId)}`;
  /** The page of a user is for root; an administrator finds the user in the list of the organization. */
  const person = (userId: string, orgId: string, email: string) =>
    mayOpen(session, 'user')
      ? scopePath({ clusterId, scopeId }, `/admin/user/${encodeURIComponent(userId)}`)
      : `${organization(orgId)}?${new URLSearchParams({ q: email })}`;
  const items = isAsked && found.data ? itemsOf(found.data, { organization, person }, navigate) : [];
  return {
    items,
    isSearching: isAsked && (query !== text || found.isFetching),
    isFailed: isAsked && found.isError,
  };
}

function itemsOf(
  found: typeof platformSearch.output._output,
  path: {
    readonly organization: (orgId: string) => string;
    readonly person: (userId: string, orgId: string, email: string) => string;
  },
  navigate: (to: string) => unknown,
): readonly PaletteItem[] {
  return [
    ...found.organizations.map(
      ({ orgId, name }): PaletteItem => ({
        id: `organization-${orgId}`,
        group: 'organizations',
        title: name,
        icon: IconBuilding,
        run: () => void navigate(path.organization(orgId)),
      }),
    ),
    ...found.people.map(
      (one): PaletteItem => ({
        id: `person-${one.user_id}`,
        group: 'people',
        title: one.name,
        hint: `${one.email_id} · ${one.organization}`,
        icon: IconUser,
        run: () => void navigate(path.person(one.user_id, one.orgId, one.email_id)),
      }),
    ),
  ];
}
