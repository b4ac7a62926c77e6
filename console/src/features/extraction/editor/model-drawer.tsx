import { TextInput } from '@mantine/core';
import { EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogText } from '../../../lib/catalog-text.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import styles from './extractor-editor.module.css';

/** The data model beside the editor: streams and fields with what they are, to be looked up and copied. */
export function ModelDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useTranslation('extraction');
  const [query, setQuery] = useState('');
  const { streams, columns } = useMemo(() => {
    const text = query.trim().toLowerCase();
    const described = [
      STREAMS.map((one) => ({
        name: one.name,
        type: '',
        description: catalogText(i18n.language, 'streams', one),
      })),
      EVENT_COLUMNS.map((one) => ({
        name: one.name,
        type: one.type,
        description: catalogText(i18n.language, 'columns', one),
      })),
    ] as const;
    const matching = (all: readonly Entry[]) =>
      all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(text));
    return { streams: matching(described[0]), columns: matching(described[1]) };
  }, [query, i18n.language]);
  return (
    <DetailFlyout title={t('model.title')} label={t('model.title')} onClose={onClose}>
      <div className={styles.model}>
        <TextInput
          aria-label={t('model.search')}
          placeholder={t('model.search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Entries title={t('model.streams')} entries={streams} />
        <Entries title={t('model.fields')} entries={columns} />
      </div>
    </DetailFlyout>
  );
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

function Entries({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {entries.map(({ name, type, description }) => (
          <li key={name}>
            <span className="mono">{name}</span> <span className={styles.dim}>{type}</span>
            <CopyButton value={name} />
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
