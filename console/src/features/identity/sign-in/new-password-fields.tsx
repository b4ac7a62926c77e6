import { PasswordInput } from '@mantine/core';
import { brokenPasswordRules } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../../lib/call.ts';
import { serverText } from '../../../lib/server-text.ts';

/** A new password as it is typed twice. */
export interface NewPassword {
  readonly next: string;
  readonly again: string;
}

export const NO_PASSWORD: NewPassword = { next: '', again: '' };

/** Whether it keeps the rules and both entries are the same. */
export const isComplete = ({ next, again }: NewPassword): boolean =>
  brokenPasswordRules(next).length === 0 && next === again;

interface NewPasswordFieldsProps {
  readonly value: NewPassword;
  readonly onChange: (value: NewPassword) => void;
  readonly autoFocus?: boolean;
}

/** The new password and its repetition, which says so when it differs. */
export function NewPasswordFields({ value, onChange, autoFocus }: NewPasswordFieldsProps) {
  const { t } = useTranslation('auth');
  const { next, again } = value;
  const reveal = { 'aria-label': t('signIn.showPassword') };
  return (
    <>
      <PasswordInput
        label={t('password.new')}
        autoComplete="new-password"
        value={next}
        onChange={(event) => onChange({ next: event.currentTarget.value, again })}
        visibilityToggleButtonProps={reveal}
        autoFocus={autoFocus}
      />
      <PasswordInput
        label={t('password.again')}
        autoComplete="new-password"
        value={again}
        onChange={(event) => onChange({ next, again: event.currentTarget.value })}
        error={again !== '' && again !== next ? t('password.differs') : undefined}
        visibilityToggleButtonProps={reveal}
      />
    </>
  );
}

/** Reasons that only the server knows. */
const TOLD = ['history', 'common', 'personal'] as const;

/** Why a new password was refused: in the user's language where the page knows the reason, else the server's words. */
export function passwordProblem(error: CallError, t: (key: string) => string): string {
  const details = error.details as { broken?: readonly string[] } | null;
  const told = TOLD.find((reason) => details?.broken?.includes(reason));
  if (told) return t(`password.rules.${told}`);
  return serverText(error) || t('password.failed');
}
