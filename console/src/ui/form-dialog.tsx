import { Button, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallError } from '../lib/call.ts';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { CallProblem } from './form-problem.tsx';

interface DialogFormProps {
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly submitLabel: string;
  /** Whether what is filled in can be sent; so it is unless told otherwise. */
  readonly isReady?: boolean;
  readonly isBusy?: boolean;
  /** Why it was refused, for a call that does not tell by itself. */
  readonly error?: CallError | null;
  /** What it does can't be undone. */
  readonly isDanger?: boolean;
  /** There is nothing to fill in: the button that sends has the focus. */
  readonly isQuestion?: boolean;
  /** More buttons, between Cancel and the one that sends. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The form inside a dialog: why it was refused, its fields, Cancel and the button that sends. */
export function DialogForm(props: DialogFormProps) {
  const { isReady = true } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) props.onSubmit();
      }}
    >
      <Stack gap={12}>
        <CallProblem error={props.error ?? null} />
        {props.children}
        <DialogActions onCancel={props.onCancel}>
          {props.actions}
          <Button
            type="submit"
            color={props.isDanger ? 'red' : undefined}
            disabled={!isReady}
            loading={props.isBusy}
            data-autofocus={props.isQuestion || undefined}
          >
            {props.submitLabel}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

type FormDialogProps = Omit<DialogFormProps, 'onCancel'> &
  Pick<ModalProps, 'size'> & {
    readonly title: string;
    readonly onClose: () => void;
  };

/** A dialog that is one form. */
export function FormDialog({ title, size, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
