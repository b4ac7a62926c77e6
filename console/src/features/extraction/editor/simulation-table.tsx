import { Table } from '@mantine/core';
import type { SimulatedRow, Simulation } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { StateMark, type StateTone } from '../../../ui/state-mark.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { WideTable } from '../../../ui/wide-table.tsx';
import styles from './extractor-editor.module.css';

const TONES: Readonly<Record<SimulatedRow['parse_status'], StateTone>> = {
  PAD: 'good',
  PER: 'bad',
  NLF: 'warn',
};

/** Rows and columns that are drawn; the rest stands in the row that is opened. */
const ROWS = 100;
const COLUMNS = 12;

interface SimulationTableProps {
  readonly simulation: Simulation;
  readonly onOpen: (row: SimulatedRow) => void;
}

/** A line each: its status, its stream, and the columns that were found. */
export function SimulationTable({ simulation, onOpen }: SimulationTableProps) {
  const { t } = useTranslation('extraction');
  const columns = simulation.columns.slice(0, COLUMNS);
  const rows = simulation.rows.slice(0, ROWS).map((row, at) => ({ row, at }));
  return (
    <div className={styles.rows} data-testid="simulation">
      <WideTable label={t('simulation.title')} minWidth={480 + 140 * columns.length}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>ParseStatus</Table.Th>
            <Table.Th>Stream</Table.Th>
            <Table.Th>TimeGenerated</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
            <Table.Th>Raw</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ row, at }) => (
            <Table.Tr key={at} onClick={() => onOpen(row)}>
              <Table.Td>
                <StateMark tone={TONES[row.parse_status]} label={row.parse_status} />
              </Table.Td>
              <Table.Td>{row.stream || '–'}</Table.Td>
              <Table.Td>{row.time === null ? '–' : <TimeStamp time={row.time} form="seconds" />}</Table.Td>
              {columns.map((name) => (
                <Table.Td key={name}>{String(row.columns[name] ?? '')}</Table.Td>
              ))}
              <Table.Td>
                <button type="button" className={styles.raw} onClick={() => onOpen(row)}>
                  {row.raw}
                </button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </div>
  );
}
