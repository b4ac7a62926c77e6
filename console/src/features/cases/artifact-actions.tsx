import { IconSearch } from '@tabler/icons-react';
import type { CaseEntity } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useValueSearch } from '../../query-kit/runs/use-value-search.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** What can be done with the value of an artifact: search its events, copy it. */
export function ArtifactActions({
  entity,
}: {
  readonly entity: Pick<CaseEntity, 'value' | 'first_seen' | 'last_seen'>;
}) {
  const { t } = useTranslation('cases');
  const search = useValueSearch();
  const { value, first_seen: first_time, last_seen: last_time } = entity;
  return (
    <>
      <IconButton
        label={t('artifact.search', { value })}
        size={22}
        onClick={() => search(value, { first_time, last_time })}
      >
        <IconSearch size={14} />
      </IconButton>
      <CopyButton value={value} />
    </>
  );
}
