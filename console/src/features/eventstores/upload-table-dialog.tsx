import {
  Alert,
  Button,
  FileButton,
  Group,
  Loader,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import {
  EVENTSTORE_LIMITS,
  EVENTSTORE_TYPES,
  type Eventstore,
  type EventstorePreview,
  type EventstoreType,
  type UploadMode,
} from '@tyrian/contract';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './eventstores.module.css';
import { SampleTable } from './sample-table.tsx';
import { useUpload } from './use-upload.ts';

export type UploadTarget =
  | { readonly mode: 'create' }
  | { readonly mode: Exclude<UploadMode, 'create'>; readonly store: Eventstore };

type Column = EventstorePreview['columns'][number];
/** By the place of the column in the file: two may have the same name there. */
type Chosen = Readonly<Record<number, Partial<Pick<Column, 'name' | 'type'>>>>;

interface UploadTableDialogProps {
  readonly target: UploadTarget;
  readonly onClose: () => void;
}

const nameOf = (file: string): string =>
  file
    .replace(/\.[^.]+$/, '')
    .replaceAll(/\W+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 64);

/** A file becomes a table: it is chosen, looked into, and its columns get names and types before anything is stored. */
export function UploadTableDialog({ target, onClose }: UploadTableDialogProps) {
  const { t } = useTranslation('eventstores');
  const { file, preview, error, isReading, isSending, take, send } = useUpload(target, onClose);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<Chosen>({});
  useUnsavedWork(file !== null);
  const isNew = target.mode === 'create';
  const choose = (next: File | null) => {
    if (!next) return;
    setChosen({});
    if (name === '') setName(nameOf(next.name));
    void take(next);
  };
  const columns = (preview?.columns ?? []).map((column, at) => ({ ...column, ...chosen[at] }));
  const asked = columns.map(({ name: own, type }) => ({ name: own, type }));
  const isReady = preview !== null && (!isNew || /^[A-Za-z_]\w*$/.test(name)) && !isReading;
  const title = isNew ? t('upload.title') : t(`upload.${target.mode}`, { name: target.store.name });
  return (
    <Dialog title={title} onClose={onClose} size="min(960px, 96vw)">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void send(isNew ? { name, description, columns: asked } : {});
        }}
      >
        <Stack gap={14}>
          {error && (
            <Alert color="red" variant="light" role="alert">
              {serverText(error)}
            </Alert>
          )}
          <DropZone file={file} onFile={choose} />
          {isReading && (
            <Group gap={8} role="status">
              <Loader size="xs" />
              <Text size="sm">{t('upload.reading')}</Text>
            </Group>
          )}
          {isNew && preview && (
            <NameFields
              name={name}
              onName={setName}
              description={description}
              onDescription={setDescription}
            />
          )}
          {preview && (
            <ColumnChoices
              preview={preview}
              columns={columns}
              isFixed={!isNew}
              onChange={(at, part) => setChosen((now) => ({ ...now, [at]: { ...now[at], ...part } }))}
            />
          )}
          {preview && (
            <SampleTable
              label={t('firstRows')}
              columns={columns.map(({ name: own }) => own)}
              rows={preview.samples.slice(0, 8)}
            />
          )}
          <DialogActions onCancel={onClose}>
            <Button type="submit" disabled={!isReady} loading={isSending}>
              {t(`upload.send.${target.mode}`)}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

function NameFields(props: {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly description: string;
  readonly onDescription: (description: string) => void;
}) {
  const { t } = useTranslation('eventstores');
  return (
    <Group gap={12} grow align="flex-start">
      <TextInput
        label={t('columns.name')}
        description={t('upload.nameHelp')}
        required
        maxLength={64}
        value={props.name}
        onChange={(event) => props.onName(event.currentTarget.value)}
        error={props.name !== '' && !/^[A-Za-z_]\w*$/.test(props.name) ? t('upload.nameLetters') : null}
      />
      <TextInput
        label={t('description')}
        description={t('upload.descriptionHelp')}
        maxLength={2000}
        value={props.description}
        onChange={(event) => props.onDescription(event.currentTarget.value)}
      />
    </Group>
  );
}

/** Takes a file by drag and drop, or by a button. */
function DropZone({
  file,
  onFile,
}: {
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}) {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-label={t('upload.zone')}
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0] ?? null);
      }}
    >
      <Text size="sm">{file ? file.name : t('upload.drop')}</Text>
      <FileButton accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.xls,.xlsx" onChange={onFile}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={14} aria-hidden />}
            data-autofocus
          >
            {t(file ? 'upload.other' : 'upload.choose')}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {t('upload.limits', {
          most: EVENTSTORE_LIMITS.fileBytes / 1024 ** 2,
          rows: formatInteger(EVENTSTORE_LIMITS.rows, locale),
        })}
      </Text>
    </section>
  );
}

interface ColumnChoicesProps {
  readonly preview: EventstorePreview;
  readonly columns: readonly Column[];
  /** The table has its columns already. */
  readonly isFixed: boolean;
  readonly onChange: (at: number, part: Partial<Pick<Column, 'name' | 'type'>>) => void;
}

function ColumnChoices({ preview, columns, isFixed, onChange }: ColumnChoicesProps) {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
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
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file are told apart by their place alone
            <Table.Tr key={at}>
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
                    onChange={(event) => onChange(at, { name: event.currentTarget.value })}
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
                    onChange={(next) => next && onChange(at, { type: next as EventstoreType })}
                  />
                )}
              </Table.Td>
              <Table.Td>
                <Fits column={column} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Stack>
  );
}

/** How many values can be read as the type; what cannot is null. */
function Fits({ column: { type, filled, fits } }: { readonly column: Column }) {
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
