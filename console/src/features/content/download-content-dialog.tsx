import { Checkbox, SegmentedControl, Stack, Text } from '@mantine/core';
import { CONTENT_FORMATS, type ContentFormat, downloadContent, type RuleFilter } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, callForFile } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useScope } from '../../lib/session-store.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface DownloadContentDialogProps {
  readonly workbookIds?: readonly string[];
  readonly ruleIds?: readonly string[];
  /** All rules that it lets through, when none are named. */
  readonly ruleFilter?: RuleFilter;
  /** How many leave. */
  readonly count: number;
  readonly onClose: () => void;
}

/** Has the file made, and saves it. */
function useDownload(props: DownloadContentDialogProps) {
  const { workbookIds = [], ruleIds = [], ruleFilter, count, onClose } = props;
  const { t } = useTranslation('content');
  const { clusterId, scopeId } = useScope();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const save = async (format: ContentFormat, settings: boolean) => {
    setBusy(true);
    setError(null);
    try {
      const input = {
        ...{ scope_id: scopeId, workbook_ids: [...workbookIds], rule_ids: [...ruleIds], format, settings },
        ...(ruleIds.length === 0 && ruleFilter ? { rule_filter: ruleFilter } : {}),
      };
      const { blob, fileName } = await callForFile(downloadContent, { params: { clusterId }, input });
      saveFile(blob, fileName ?? `tyrian-content.${format}`);
      notify('done', t('download.done', { count }));
      onClose();
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, error };
}

/** Asks in which form content leaves, and saves it. */
export function DownloadContentDialog(props: DownloadContentDialogProps) {
  const { ruleIds = [], ruleFilter, count, onClose } = props;
  const { t } = useTranslation('content');
  const [format, setFormat] = useState<ContentFormat>('tar.gz');
  const [withSettings, setWithSettings] = useState(true);
  const { save, isBusy, error } = useDownload(props);
  const hasRules = ruleIds.length > 0 || ruleFilter !== undefined;
  return (
    <FormDialog
      title={t('download.title')}
      onClose={onClose}
      onSubmit={() => void save(format, hasRules && withSettings)}
      submitLabel={t('download.button')}
      isBusy={isBusy}
      error={error}
      isQuestion
    >
      <Stack gap={12}>
        <Text size="sm">{t(hasRules ? 'download.rules' : 'download.workbooks', { count })}</Text>
        <SegmentedControl
          aria-label={t('download.format')}
          data={CONTENT_FORMATS.map((value) => ({
            value,
            label: t(`download.formats.${value.replace('.', '')}`),
          }))}
          value={format}
          onChange={(value) => setFormat(CONTENT_FORMATS.find((one) => one === value) ?? 'tar.gz')}
        />
        {hasRules && (
          <Checkbox
            label={t('download.settings')}
            description={t('download.settingsHelp')}
            checked={withSettings}
            onChange={(event) => setWithSettings(event.currentTarget.checked)}
          />
        )}
        {hasRules && (
          <Text size="xs" c="dimmed">
            {t('download.samplesHelp')}
          </Text>
        )}
      </Stack>
    </FormDialog>
  );
}
