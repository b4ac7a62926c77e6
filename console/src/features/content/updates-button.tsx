import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ContentUpdate, listContentUpdates } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { useContentPaths } from './content-links.ts';

/** Leads to the updates that wait, of one kind or of all; nothing while there are none. */
export function UpdatesButton({ kind }: { readonly kind?: ContentUpdate['kind'] }) {
  const { t } = useTranslation('content');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const paths = useContentPaths();
  const input = { scope_id: scopeId, pagesize: 1, ...(kind ? { kind } : {}) };
  const count = useQuery(
    callQuery(listContentUpdates, input, { params: { clusterId }, quiet: true, every: 60_000 }),
  ).data?.total_count;
  if (!count) return null;
  return (
    <Button
      component={Link}
      to={paths.updates(kind)}
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
    >
      {t('updates', { count, number: formatInteger(count, locale) })}
    </Button>
  );
}
