import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  checkWorkbook,
  type DraftProblem,
  type Workbook,
  type WorkbookDraft,
  workbookProperties,
} from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { resolveZone } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { gapsOf, withoutGaps } from './draft-gaps.ts';
import { draftOf, newDraft, sameDraft } from './workbook-draft.ts';
import type { WorkbookMode } from './workbook-links.ts';

const CHECK_AFTER_MS = 500;

export interface WorkbookEditor {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly mode: WorkbookMode;
  /** Null while it is new. */
  readonly workbook: Workbook | null;
  readonly draft: WorkbookDraft;
  readonly setDraft: (change: (draft: WorkbookDraft) => WorkbookDraft) => void;
  readonly isDirty: boolean;
  /** Why it can't be changed here, or null when it can. */
  readonly fixed: 'native' | 'locked' | 'foreign' | 'view' | null;
  readonly problems: readonly DraftProblem[];
  /** Something is still to be filled in: it cannot be saved yet. */
  readonly hasGaps: boolean;
  readonly columns: readonly string[];
  readonly streams: readonly string[];
  /** The server has a newer version than the one that is edited. */
  readonly newerVersion: number | null;
  /** Takes what the server has as the new starting point. */
  readonly adopt: () => void;
  /** The draft as it stands has just become this version. */
  readonly onSaved: (version: number) => void;
}

/** The workbook of a page with its draft; `data` is an id, or anything for a new one. */
export function useWorkbookEditor(
  mode: WorkbookMode,
  data: string,
): {
  readonly editor: WorkbookEditor | null;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const { clusterId, scopeId } = useScope();
  const [params] = useSearchParams();
  const isNew = mode === 'new';
  const loaded = useQuery({
    ...callQuery(
      workbookProperties,
      { scope_id: scopeId, ID: data },
      { params: { clusterId }, enabled: !isNew, every: 30_000, quiet: true },
    ),
  });
  const zone = resolveZone(useSettings().timeZone);
  const [base, setBase] = useState<Workbook | null>(null);
  const [draft, setDraft] = useState<WorkbookDraft | null>(() =>
    isNew ? newDraft(params.get('query') ?? '', { directory: params.get('folder') ?? '', zone }) : null,
  );
  const [started] = useState(draft);
  const saved = base ? draftOf(base.properties) : started;
  const isDirty = draft !== null && saved !== null && !sameDraft(draft, saved);
  const fresh = loaded.data ?? null;
  const [own, setOwn] = useState<{ version: number; draft: WorkbookDraft } | null>(null);
  useEffect(() => {
    if (!fresh || fresh.ID !== data) return;
    // Our own save is no foreign change: it becomes the base, and what was typed since stays.
    const isOwn = own?.version === fresh.properties.version;
    // A copy is opened from its original: what stands on the page then belongs to another workbook.
    const isSame = base?.ID === fresh.ID;
    if (isSame && isDirty && !isOwn) return;
    setBase(fresh);
    if (isSame && base.properties.version === fresh.properties.version) return;
    const read = draftOf(fresh.properties);
    setDraft((now) => (isOwn && now !== own?.draft ? now : read));
  }, [fresh, data, base, isDirty, own]);
  const adopt = () => {
    if (!fresh) return;
    setBase(fresh);
    setDraft(draftOf(fresh.properties));
  };
  const { t } = useTranslation('workbooks');
  const check = useDraftCheck({ clusterId, scopeId }, draft);
  const editorOf = (): WorkbookEditor | null => {
    if (!draft || (!isNew && !base)) return null;
    const gaps = gapsOf(draft);
    const newer =
      base && fresh && fresh.properties.version > base.properties.version ? fresh.properties.version : null;
    return {
      clusterId,
      scopeId,
      mode,
      workbook: base,
      draft,
      setDraft: (change) => setDraft((now) => (now ? change(now) : now)),
      isDirty,
      fixed: fixedBy(mode, base),
      problems: [
        ...gaps.map((gap) => ({ ...gap, ...GAP, message: t(gapMessage(gap)) })),
        // The page says so itself, before the server does.
        ...(check?.problems.filter((each) => each.code !== NAMES_NOBODY) ?? []),
      ],
      hasGaps: gaps.length > 0,
      columns: check?.columns.map((column) => column.name) ?? [],
      streams: check?.streams ?? base?.properties.streams ?? [],
      newerVersion: newer,
      adopt,
      onSaved: (version) => setOwn({ version, draft }),
    };
  };
  return {
    editor: editorOf(),
    error: loaded.isError && !base ? loaded.error : null,
    retry: () => void loaded.refetch(),
  };
}

const GAP = { severity: 'error', code: 'gap', span: null } as const;

/** The server's word for a signal without suspect and target. */
const NAMES_NOBODY = 'WB202';

const gapMessage = ({ field }: { readonly field: string }) =>
  field === 'name'
    ? 'signal.nameMissing'
    : field === 'suspects'
      ? 'signal.entityMissing'
      : 'signal.fieldMissing';

function fixedBy(mode: WorkbookMode, workbook: Workbook | null): WorkbookEditor['fixed'] {
  if (!workbook) return null;
  const { native, editable, locked } = workbook.properties;
  if (native) return 'native';
  if (!editable) return locked ? 'locked' : 'foreign';
  return mode === 'view' || mode === 'version' ? 'view' : null;
}

function useDraftCheck(
  scope: { readonly clusterId: string; readonly scopeId: string },
  draft: WorkbookDraft | null,
) {
  const [settled] = useDebouncedValue(draft, CHECK_AFTER_MS);
  const properties = settled ? withoutGaps(settled) : null;
  return useQuery(
    callQuery(
      checkWorkbook,
      { scope_id: scope.scopeId, properties: properties ?? { name: 'draft' } },
      { params: { clusterId: scope.clusterId }, enabled: properties !== null, keep: true, quiet: true },
    ),
  ).data;
}
