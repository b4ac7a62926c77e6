import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
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
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const titles = {
    totp: t('factors.addApp'),
    passkey: t('factors.addPasskey'),
    codes: t('factors.newCodes'),
    remove: t('factors.removeWhat', { name: change.kind === 'remove' ? change.name : '' }),
  };
  const isReady = (!asksPassword || password !== '') && (change.kind !== 'passkey' || name.trim() !== '');
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
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (isReady) flow.begin(password, name.trim());
            }}
          >
            <Stack gap={16}>
              {change.kind === 'passkey' ? (
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
                  data-autofocus={change.kind === 'passkey' ? undefined : true}
                />
              ) : null}
              <Group justify="flex-end" gap={8}>
                <Button variant="default" onClick={onClose}>
                  {t('factors.cancel')}
                </Button>
                <Button
                  type="submit"
                  disabled={!isReady}
                  loading={flow.isBusy}
                  color={change.kind === 'remove' ? 'red' : undefined}
                >
                  {t(change.kind === 'remove' ? 'factors.remove' : 'factors.goOn')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Dialog>
  );
}
