import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { NamedBy } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';

/** What names a table, with a way there. */
export function NamedByList({ users }: { readonly users: readonly NamedBy[] }) {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  if (users.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('unused')}
      </Text>
    );
  const pathOf = ({ kind, id }: NamedBy): string | null =>
    kind === 'workbook'
      ? `/${clusterId}/${scopeId}/workbook/view/${id}`
      : kind === 'rule'
        ? `/${clusterId}/${scopeId}/rules/${id}`
        : kind === 'bucket'
          ? `/${clusterId}/${scopeId}/system/enrichment/bucket/${id}`
          : null;
  return (
    <Stack gap={4}>
      {users.map((user) => {
        const path = pathOf(user);
        return (
          <Group key={`${user.kind} ${user.id}`} gap={8} wrap="nowrap">
            <Text size="sm" c="dimmed" miw={90}>
              {t(`kinds.${user.kind}`)}
            </Text>
            {path === null ? (
              <Text size="sm">{user.name}</Text>
            ) : (
              <Anchor size="sm" component={Link} to={path}>
                {user.name}
              </Anchor>
            )}
          </Group>
        );
      })}
    </Stack>
  );
}
