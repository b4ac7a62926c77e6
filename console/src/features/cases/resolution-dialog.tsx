import { Button, Radio, Stack, Textarea } from '@mantine/core';
import { RESOLUTIONS, type Resolution } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

interface ResolutionDialogProps {
  readonly title: string;
  /** What the button says, unless it closes one case. */
  readonly confirm?: string;
  readonly isSaving: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (resolution: Resolution, note: string) => void;
}

/** Closing asks how it ended, and takes a last note. */
export function ResolutionDialog({ title, confirm, isSaving, onClose, onConfirm }: ResolutionDialogProps) {
  const { t } = useTranslation('cases');
  const [resolution, setResolution] = useState<Resolution | null>(null);
  const [note, setNote] = useState('');
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap={16}>
        <Radio.Group
          label={t('close.resolution')}
          value={resolution}
          onChange={(value) => setResolution(value as Resolution)}
        >
          <Stack gap={8} mt={8}>
            {RESOLUTIONS.map((value) => (
              <Radio key={value} size="xs" value={value} label={t(`resolution.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('close.note')}
          autosize
          minRows={3}
          maxRows={8}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <DialogActions onCancel={onClose}>
          <Button
            disabled={!resolution}
            loading={isSaving}
            onClick={() => resolution && onConfirm(resolution, note.trim())}
          >
            {confirm ?? t('close.button')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
