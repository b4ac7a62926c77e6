import { useDebouncedValue } from '@mantine/hooks';
import { IconBriefcase, IconBroadcast, IconNotebook, IconTarget } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { globalSearch } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { hasSecurityRole } from '../../lib/landing.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import type { FoundItems, PaletteItem } from './palette-item.ts';

const TYPING_MS = 180;
const SHORTEST = 2;

/** What the server finds in the scope: cases, signals, workbooks, entities. */
export function useFoundItems(typed: string): FoundItems {
  const session = useSignedIn();
  const { clusterId, scopeId } = useScope();
  const text = typed.trim();
  const [query] = useDebouncedValue(text, TYPING_MS);
  const isAsked = hasSecurityRole(session) && scopeId !== '' && text.length >= SHORTEST;
  const found = useQuery({
    ...callQuery(
      globalSearch,
      { scope_id: scopeId, query },
      { params: { clusterId }, enabled: isAsked && query.length >= SHORTEST, quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const items = useItems(isAsked ? found.data : undefined);
  return {
    items,
    isSearching: isAsked && (query !== text || found.isFetching),
    isFailed: isAsked && found.isError,
  };
}

type Answer = NonNullable<ReturnType<typeof useQuery<typeof globalSearch.output._output>>['data']>;

function useItems(data: Answer | undefined): readonly PaletteItem[] {
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  const current = useScope();
  if (!data) return [];
  const open = (ending: string) => () => void navigate(scopePath(current, ending));
  const signals = (query: Readonly<Record<string, string>>) =>
    open(`/incident/signals?${new URLSearchParams({ view: 'all', from: 'now-30d', to: 'now', ...query })}`);
  return [
    ...data.cases.map(
      (one): PaletteItem => ({
        id: `case-${one.case_id}`,
        group: 'cases',
        title: `${one.case_key} ${one.case_name}`,
        hint: `${t(`ui:severity.${one.severity}`)} · ${t(`cases:status.${one.status}`)}`,
        icon: IconBriefcase,
        run: open(`/incident/cases/${encodeURIComponent(one.case_id)}`),
      }),
    ),
    ...data.signals.map(
      (one): PaletteItem => ({
        id: `signal-${one.signal_id}`,
        group: 'signals',
        title: one.name,
        hint: t('ui:score', { score: one.score }),
        icon: IconBroadcast,
        run: signals({ signal: one.signal_id }),
      }),
    ),
    ...data.workbooks.map(
      (one): PaletteItem => ({
        id: `workbook-${one.ID}`,
        group: 'workbooks',
        title: one.name,
        hint: one.directory,
        icon: IconNotebook,
        run: open(`/workbook/edit/${encodeURIComponent(one.ID)}`),
      }),
    ),
    ...data.entities.map(
      (one): PaletteItem => ({
        id: `entity-${one.type}-${one.value}`,
        group: 'entities',
        title: one.value,
        hint: t('palette.entity', { type: t(`ui:entity.${one.type}`), count: one.signal_count }),
        icon: IconTarget,
        run: signals({ entity: `+${one.role}|${one.type}|${one.value}` }),
      }),
    ),
  ];
}
