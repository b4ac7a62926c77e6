import {
  checkExtractor,
  cloneExtractor,
  discardExtractorDraft,
  type Extractor,
  listExtractors,
  listExtractorVersions,
  publishExtractor,
  readExtractorRecord,
  restoreExtractorVersion,
  saveExtractor,
  switchExtractor,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { notify } from '../../../lib/notify.ts';
import { useScope } from '../../../lib/session-store.ts';
import { discardUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { useExtractionPaths } from '../extraction-paths.ts';
import type { ExtractorDraft } from './use-extractor-draft.ts';

const STALE = { stale: [listExtractors, readExtractorRecord, listExtractorVersions, checkExtractor] };

/** Saves the draft; a new one goes to its page then. */
function useSave(extractor: Extractor | undefined, draft: ExtractorDraft) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useExtractionPaths();
  const { search } = useLocation();
  const saving = useCallMutation(saveExtractor, STALE);
  const save = () => {
    if (extractor?.type === 'native' || (extractor && !draft.isDirty)) return;
    const text = { scope_id: scopeId, yaml: draft.yaml, samples: draft.lines };
    const input = extractor
      ? { ...text, extractor_id: extractor.extractor_id, revision: extractor.revision }
      : text;
    saving.mutate(
      { params: { clusterId }, input },
      {
        onSuccess: (saved) => {
          draft.saved(saved);
          notify('done', t('saved'));
          if (extractor) return;
          discardUnsavedWork();
          void navigate({ pathname: paths.page(saved.extractor_id), search }, { replace: true });
        },
      },
    );
  };
  return { save, isSaving: saving.isPending };
}

/** What can be done with an extractor: saved, published, switched, cloned, taken back. */
export function useExtractorActs(extractor: Extractor | undefined, draft: ExtractorDraft) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useExtractionPaths();
  const publishing = useCallMutation(publishExtractor, { ...STALE, quiet: true });
  const switching = useCallMutation(switchExtractor, STALE);
  const cloning = useCallMutation(cloneExtractor, STALE);
  const discarding = useCallMutation(discardExtractorDraft, STALE);
  const restoring = useCallMutation(restoreExtractorVersion, STALE);
  const one = { scope_id: scopeId, extractor_id: extractor?.extractor_id ?? 0 };
  const revision = extractor?.revision ?? 0;
  const asked = <I extends object>(more: I) => ({ params: { clusterId }, input: { ...one, ...more } });
  return {
    ...useSave(extractor, draft),
    publishing,
    publish: (comment: string, onDone: () => void) =>
      publishing.mutate(asked({ revision, comment }), {
        onSuccess: (now) => {
          draft.saved(now);
          notify('done', t('publish.done', { version: now.version }));
          onDone();
        },
      }),
    isBusy: switching.isPending || cloning.isPending || discarding.isPending || restoring.isPending,
    setEnabled: (enabled: boolean) => switching.mutate(asked({ enabled })),
    clone: () =>
      cloning.mutate(asked({}), { onSuccess: (made) => void navigate(paths.page(made.extractor_id)) }),
    discard: () => discarding.mutate(asked({ revision }), { onSuccess: draft.adopt }),
    restore: (version: number) => restoring.mutate(asked({ revision, version }), { onSuccess: draft.adopt }),
  };
}
export type ExtractorActs = ReturnType<typeof useExtractorActs>;
