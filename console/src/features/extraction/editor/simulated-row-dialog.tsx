import { Text } from '@mantine/core';
import type { SimulatedRow } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './extractor-editor.module.css';

interface SimulatedRowDialogProps {
  readonly row: SimulatedRow;
  readonly onClose: () => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Everything that one line came to. */
export function SimulatedRowDialog({ row, onClose }: SimulatedRowDialogProps) {
  const { t } = useTranslation('extraction');
  const columns = Object.entries(row.columns);
  const ext = Object.entries(row.ext);
  return (
    <Dialog title={t('simulation.line')} size={720} onClose={onClose}>
      <pre className={styles.text}>{row.raw}</pre>
      <Text size="sm">{t(`simulation.reach.${row.reach}`, { entry: row.entry ?? '' })}</Text>
      {row.reason !== null && (
        <Text size="sm" lang="en">
          {row.reason}
        </Text>
      )}
      {columns.length > 0 && <Fields title={t('simulation.columns')} fields={columns} />}
      {ext.length > 0 && <Fields title={t('simulation.ext')} fields={ext} />}
    </Dialog>
  );
}

interface FieldsProps {
  readonly title: string;
  readonly fields: readonly (readonly [string, unknown])[];
}

function Fields({ title, fields }: FieldsProps) {
  return (
    <section className={styles.fields}>
      <h3>{title}</h3>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>{textOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
