import { useQuery } from '@tanstack/react-query';
import { type Extractor, listExtractorVersions, viewExtractorVersion } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { VersionDiff, VersionList } from '../../../ui/version-list.tsx';
import type { ExtractorActs } from './use-extractor-acts.ts';
import type { ExtractorDraft } from './use-extractor-draft.ts';

interface ExtractorVersionsProps {
  readonly extractor: Extractor;
  readonly draft: ExtractorDraft;
  readonly acts: ExtractorActs;
  readonly onClose: () => void;
}

/** Versions with author and comment; one that is chosen shows how the text differs from it, and can come back. */
export function ExtractorVersions(props: ExtractorVersionsProps) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, extractor_id: props.extractor.extractor_id };
  const list = useQuery(callQuery(listExtractorVersions, input, { params: { clusterId }, quiet: true }));
  return (
    <DetailFlyout title={t('versions.title')} label={t('versions.title')} onClose={props.onClose}>
      {list.isError && <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />}
      <VersionList versions={list.data?.map((one) => ({ ...one, time: one.created }))}>
        {(version) => <OldExtractor {...props} version={version} />}
      </VersionList>
    </DetailFlyout>
  );
}

function OldExtractor(props: ExtractorVersionsProps & { readonly version: number }) {
  const { extractor, draft, acts, version } = props;
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, extractor_id: extractor.extractor_id, version };
  const old = useQuery(callQuery(viewExtractorVersion, input, { params: { clusterId }, quiet: true }));
  if (old.isError) return <ErrorPanel error={old.error} onRetry={() => void old.refetch()} />;
  if (!old.data) return null;
  return (
    <VersionDiff version={version} before={old.data.yaml} after={draft.yaml}>
      <ConfirmButton
        size="xs"
        variant="default"
        isHarmless
        loading={acts.isBusy}
        disabled={draft.isDirty}
        title={t('versions.ask', { version })}
        consequence={t('versions.askText')}
        confirmLabel={t('versions.restore', { version })}
        onConfirm={() => acts.restore(version)}
      />
    </VersionDiff>
  );
}
