import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRuleImports } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { IMPORT_TONES } from './rule-words.ts';

const SHOWN = 5;

/** The last imports of the tenant; each opens its report. */
export function PastImports({ onOpen }: { readonly onOpen: (importId: string) => void }) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const imports =
    useQuery(callQuery(listRuleImports, { scope_id: scopeId }, { params: { clusterId }, quiet: true }))
      .data ?? [];
  if (imports.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {t('import.past')}
      </Text>
      {imports.slice(0, SHOWN).map(({ import_id, pack, state, created }) => (
        <Group key={import_id} gap={10}>
          <Button variant="subtle" size="compact-sm" onClick={() => onOpen(import_id)}>
            {pack}
          </Button>
          <TimeStamp time={created} form="seconds" />
          <StateMark tone={IMPORT_TONES[state]} label={t(`import.short.${state}`)} />
        </Group>
      ))}
    </div>
  );
}
