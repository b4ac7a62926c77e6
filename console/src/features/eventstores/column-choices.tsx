import { Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { EVENTSTORE_TYPES, type EventstorePreview, type EventstoreType } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { WideTable } from '../../ui/wide-table.tsx';

type PreviewColumn = EventstorePreview['columns'][number];

/** What a person chose about a column instead of what was guessed. */
export type ColumnChange = Partial<Pick<PreviewColumn, 'name' | 'type'>>;

interface ColumnChoicesProps {
  readonly preview: EventstorePreview;
  readonly columns: readonly PreviewColumn[];
  /** The table has its columns already. */
  readonly isFixed: boolean;
  readonly onChange: (at: number, part: ColumnChange) => void;
}

/** The columns of a file: how they are called there and in the table, their types, and how many values fit. */
export function ColumnChoices({ preview, columns, isFixed, onChange }: ColumnChoicesProps) {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
  // Two may have the same name in the file.
  const numbered = columns.map((column, place) => ({ column, place }));
  return (
    <Stack gap={6}>
      <Text size="sm">
        {t('upload.found', { rows: formatInteger(preview.rows, locale), count: columns.length })}
        {preview.sheet && preview.sheet.count > 1 ? ` ${t('upload.sheet', preview.sheet)}` : ''}
      </Text>
      <WideTable label={t('columns.columns')} minWidth={520} size="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('upload.inFile')}</Table.Th>
            <Table.Th>{t('columns.name')}</Table.Th>
            <Table.Th w={140}>{t('type')}</Table.Th>
            <Table.Th>{t('upload.fits')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbered.map(({ column, place }) => (
            <ColumnRow
              key={place}
              column={column}
              isFixed={isFixed}
              onChange={(part) => onChange(place, part)}
            />
          ))}
        </Table.Tbody>
      </WideTable>
    </Stack>
  );
}

interface ColumnRowProps extends Pick<ColumnChoicesProps, 'isFixed'> {
  readonly column: PreviewColumn;
  readonly onChange: (part: ColumnChange) => void;
}

function ColumnRow({ column, isFixed, onChange }: ColumnRowProps) {
  const { t } = useTranslation('eventstores');
  return (
    <Table.Tr>
      <Table.Td className="mono">{column.source}</Table.Td>
      <Table.Td>
        {isFixed ? (
          <span className="mono">{column.name}</span>
        ) : (
          <TextInput
            size="xs"
            aria-label={t('upload.nameOf', { name: column.source })}
            value={column.name}
            maxLength={100}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        )}
      </Table.Td>
      <Table.Td>
        {isFixed ? (
          column.type
        ) : (
          <Select
            size="xs"
            aria-label={t('typeOf', { name: column.name })}
            data={EVENTSTORE_TYPES}
            value={column.type}
            allowDeselect={false}
            onChange={(next) => next && onChange({ type: next as EventstoreType })}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Fits column={column} />
      </Table.Td>
    </Table.Tr>
  );
}

/** How many values can be read as the type; what cannot is null. */
function Fits({ column: { type, filled, fits } }: { readonly column: PreviewColumn }) {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
  const odd = type === 'string' ? 0 : filled - fits[type];
  if (odd === 0)
    return <Text size="xs">{t('upload.allFit', { number: formatInteger(filled, locale) })}</Text>;
  return (
    <Text size="xs" fw={600}>
      {t('upload.someDont', { odd: formatInteger(odd, locale), number: formatInteger(filled, locale) })}
    </Text>
  );
}
