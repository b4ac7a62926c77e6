import { Button, FileButton, List, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import {
  type CodedText,
  importWorkbook,
  listDirectories,
  listWorkbooks,
  workbookProperties,
} from '@tyrian/contract';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { UploadContentDialog } from '../content/public.ts';
import { useOpenWorkbook } from './workbook-links.ts';

const MOST_CHARACTERS = 500_000;

interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

interface Namesake {
  readonly code: 'same-name';
  readonly ID: string;
  readonly name: string;
  readonly version: number;
  readonly editable: boolean;
}

interface Refused {
  readonly code?: string;
  readonly problems?: readonly (CodedText & { readonly path?: string; readonly line?: number })[];
}

type Answer = Pick<Parameters<ReturnType<typeof useImport>['send']>[1], 'as' | 'ID' | 'version'>;

function useImport(onDone: () => void) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const open = useOpenWorkbook();
  const { mutate, reset, ...state } = useCallMutation(importWorkbook, {
    stale: [listWorkbooks, listDirectories, workbookProperties],
    quiet: true,
  });
  const send = (
    file: ChosenFile,
    request: { readonly as: 'new' | 'copy' | 'version'; readonly ID?: string; readonly version?: number },
  ) =>
    mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, file: file.text, file_name: file.name.slice(0, 300), ...request },
      },
      {
        onSuccess: ({ ID, version }) => {
          const isNew = request.as !== 'version';
          notify('done', t('import.done', { file: file.name }), isNew ? t('import.isOff') : `v${version}`);
          onDone();
          open('edit', ID);
        },
      },
    );
  return { send, reset, ...state };
}

const IS_YAML = /\.ya?ml$/i;
const PARTS_FILES = /^--- # file/m;
const HEAD = 64 * 1024;

/** Whether a file is an archive, or a YAML text of several files. */
const holdsMore = async (file: File): Promise<boolean> =>
  !IS_YAML.test(file.name) || PARTS_FILES.test(await file.slice(0, HEAD).text());

/** Brings a workbook back from the file that it was downloaded as, or many from an archive. */
export function ImportWorkbookButton() {
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const [content, setContent] = useState<File | null>(null);
  const choose = useRef<() => void>(null);
  const close = () => {
    setFile(null);
    setTooLarge(false);
    // The same file may be chosen again.
    choose.current?.();
    reset();
  };
  const { send, reset, error, isPending } = useImport(close);
  const take = async (chosen: File | null) => {
    if (!chosen) return;
    if (await holdsMore(chosen)) {
      setContent(chosen);
      return;
    }
    const next = { name: chosen.name, text: await chosen.text() };
    setFile(next);
    setTooLarge(next.text.length > MOST_CHARACTERS);
    if (next.text.length <= MOST_CHARACTERS) send(next, { as: 'new' });
  };
  const namesake = error?.status === 409 ? (error.details as Namesake | null) : null;
  return (
    <>
      <ChooseFile resetRef={choose} isBusy={isPending && error === null} onChoose={(one) => void take(one)} />
      {content && (
        <UploadContentDialog
          file={content}
          onClose={() => {
            setContent(null);
            close();
          }}
        />
      )}
      {file && namesake?.code === 'same-name' && (
        <NamesakeDialog
          namesake={namesake}
          isBusy={isPending}
          onClose={close}
          onAnswer={(answer) => send(file, answer)}
        />
      )}
      {file && (isTooLarge || (error && namesake?.code !== 'same-name')) && (
        <RefusedDialog file={file} error={isTooLarge ? null : error} onClose={close} />
      )}
    </>
  );
}

interface ChooseFileProps {
  readonly resetRef: RefObject<(() => void) | null>;
  readonly isBusy: boolean;
  readonly onChoose: (file: File | null) => void;
}

function ChooseFile({ resetRef, isBusy, onChoose }: ChooseFileProps) {
  const { t } = useTranslation('workbooks');
  return (
    <FileButton
      accept=".yaml,.yml,.tar,.gz,.tgz,.zip,application/yaml"
      onChange={onChoose}
      resetRef={resetRef}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconUpload size={14} />} loading={isBusy}>
          {t('import.button')}
        </Button>
      )}
    </FileButton>
  );
}

function NamesakeDialog(props: {
  readonly namesake: Namesake;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const { t } = useTranslation('workbooks');
  const { ID, name, version, editable } = props.namesake;
  return (
    <Dialog onClose={props.onClose} title={t('import.sameName', { name })}>
      <Stack gap={14}>
        <Text size="sm">{t(editable ? 'import.sameNameHelp' : 'import.sameNameFixed', { version })}</Text>
        <DialogActions onCancel={props.onClose}>
          {editable && (
            <Button
              variant="default"
              disabled={props.isBusy}
              onClick={() => props.onAnswer({ as: 'version', ID, version })}
            >
              {t('import.asVersion', { version: version + 1 })}
            </Button>
          )}
          <Button disabled={props.isBusy} onClick={() => props.onAnswer({ as: 'copy' })} data-autofocus>
            {t('import.asCopy')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

function RefusedDialog(props: {
  readonly file: ChosenFile;
  /** Null for a file that is too large to be sent. */
  readonly error: CallError | null;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('workbooks');
  const details = (props.error?.details ?? {}) as Refused;
  const problems = Array.isArray(details.problems) ? details.problems : [];
  const why =
    props.error === null
      ? t('import.tooLarge')
      : details.code === 'not-yaml'
        ? t('import.notYaml')
        : details.code === 'not-a-workbook'
          ? t('import.notWorkbook')
          : problems.length > 0
            ? t('import.mistakes')
            : serverText(props.error);
  return (
    <Dialog onClose={props.onClose} title={t('import.refused', { file: props.file.name })}>
      <Stack gap={12} role="alert">
        <Text size="sm">{why}</Text>
        {problems.length > 0 && (
          <List size="xs" spacing={4}>
            {problems.map(({ path, line, ...said }) => (
              <List.Item key={`${path} ${line} ${said.message}`}>
                {line !== undefined && <strong>{t('import.line', { line })} </strong>}
                {path && <code>{path}</code>} {serverText(said)}
              </List.Item>
            ))}
          </List>
        )}
        <Button variant="default" onClick={props.onClose} style={{ alignSelf: 'flex-end' }} data-autofocus>
          {t('ui:close')}
        </Button>
      </Stack>
    </Dialog>
  );
}
