import { Drawer, TextInput, UnstyledButton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  CONNECTOR_GROUPS,
  type ListedConnectorKind,
  type listConnectorKinds,
  type OutputOf,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import classes from './connectors.module.css';

interface ConnectorCatalogueProps {
  readonly kinds: UseQueryResult<OutputOf<typeof listConnectorKinds>, Error>;
  readonly onChoose: (kind: string) => void;
  readonly onClose: () => void;
}

/** What can be connected, by group, with a search over names and other words. */
export function ConnectorCatalogue({ kinds, onChoose, onClose }: ConnectorCatalogueProps) {
  const { t } = useTranslation('connectors');
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  const found = kinds.data?.data.filter((one) =>
    `${one.name} ${one.words} ${one.kind}`.toLowerCase().includes(text),
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={t('catalogue')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <TextInput
        aria-label={t('searchKinds')}
        placeholder={t('searchKinds')}
        value={query}
        data-autofocus
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {kinds.isLoadingError ? <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} /> : null}
      {found?.length === 0 ? <EmptyState kind="filtered-out" title={t('noKinds')} /> : null}
      {CONNECTOR_GROUPS.map((group) => (
        <Kinds
          key={group}
          title={t(`groups.${group}`)}
          kinds={found?.filter((one) => one.group === group) ?? []}
          onChoose={onChoose}
        />
      ))}
    </Drawer>
  );
}

interface KindsProps {
  readonly title: string;
  readonly kinds: readonly ListedConnectorKind[];
  readonly onChoose: (kind: string) => void;
}

function Kinds({ title, kinds, onChoose }: KindsProps) {
  const { t } = useTranslation('connectors');
  if (kinds.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={classes.group}>{title}</h2>
      <div className={classes.kinds}>
        {kinds.map((one) => (
          <UnstyledButton key={one.kind} className={classes.kind} onClick={() => onChoose(one.kind)}>
            <span className={classes.kindName}>{one.name}</span>
            <span className={classes.kindNote}>{t(`engines.${one.engine}`)}</span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  );
}
