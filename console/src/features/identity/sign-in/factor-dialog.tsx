import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/form-dialog.tsx';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { OtpCodeInput } from './otp-code-input.tsx';
import { RecoveryCodesPanel } from './recovery-codes-panel.tsx';
import { TotpSecret } from './totp-secret.tsx';
import { type FactorChange, useFactorChange } from './use-factor-change.ts';

export type { FactorChange };

interface FactorDialogProps {
  readonly change: FactorChange;
  /** False where another identity provider signs in: there is no password to ask for. */
  readonly asksPassword: boolean;
  readonly onClose: () => void;
}

/** One change of a second factor: the password, then what the change needs, then recovery codes if there are new ones. */
export function FactorDialog({ change, asksPassword, onClose }: FactorDialogProps) {
  const { t } = useTranslation('auth');
  const flow = useFactorChange(change, onClose);
  const titles = {
    totp: t('factors.addApp'),
    passkey: t('factors.addPasskey'),
    codes: t('factors.newCodes'),
    remove: t('factors.removeWhat', { name: change.kind === 'remove' ? change.name : '' }),
  };
  return (
    <Dialog onClose={onClose} title={titles[change.kind]} centered>
      <Stack gap={16}>
        {flow.error ? <FormProblem>{flow.error}</FormProblem> : null}
        {flow.step.kind === 'codes' ? (
          <>
            <RecoveryCodesPanel codes={flow.step.codes} />
            <Button onClick={onClose}>{t('recovery.kept')}</Button>
          </>
        ) : flow.step.kind === 'app' ? (
          <>
            <Text c="dimmed">{t('factors.scan')}</Text>
            <TotpSecret secret={flow.step.secret} uri={flow.step.uri} />
            <OtpCodeInput
              key={flow.attempt}
              kind="digits"
              isBusy={flow.isBusy}
              isInvalid={flow.error !== null}
              onCode={flow.confirmApp}
            />
          </>
        ) : (
          <BeginForm
            kind={change.kind}
            asksPassword={asksPassword}
            isBusy={flow.isBusy}
            onCancel={onClose}
            onBegin={flow.begin}
          />
        )}
      </Stack>
    </Dialog>
  );
}

interface BeginFormProps {
  readonly kind: FactorDialogProps['change']['kind'];
  readonly asksPassword: boolean;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onBegin: (password: string, name: string) => void;
}

/** Who it is, and what a new passkey is called. */
function BeginForm({ kind, asksPassword, isBusy, onCancel, onBegin }: BeginFormProps) {
  const { t } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const isNamed = kind !== 'passkey' || name.trim() !== '';
  return (
    <DialogForm
      submitLabel={t(kind === 'remove' ? 'factors.remove' : 'factors.goOn')}
      isDanger={kind === 'remove'}
      isReady={(!asksPassword || password !== '') && isNamed}
      isBusy={isBusy}
      onCancel={onCancel}
      onSubmit={() => onBegin(password, name.trim())}
    >
      {kind === 'passkey' ? (
        <TextInput
          label={t('factors.passkeyName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={64}
          data-autofocus
        />
      ) : null}
      {asksPassword ? (
        <PasswordInput
          label={t('factors.confirm')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          data-autofocus={kind === 'passkey' ? undefined : true}
        />
      ) : null}
    </DialogForm>
  );
}
