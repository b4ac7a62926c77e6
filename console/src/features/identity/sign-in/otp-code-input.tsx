import { Button, PinInput, TextInput } from '@mantine/core';
import { OTP_DIGITS } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface OtpCodeInputProps {
  readonly kind: 'digits' | 'recovery';
  readonly isBusy: boolean;
  readonly isInvalid: boolean;
  readonly onCode: (code: string) => void;
}

/** Six boxes that advance by themselves, take a paste whole and send when full; or one field for a recovery code. */
export function OtpCodeInput({ kind, isBusy, isInvalid, onCode }: OtpCodeInputProps) {
  const { t } = useTranslation('auth');
  const [code, setCode] = useState('');
  const isComplete = kind === 'recovery' ? code.trim() !== '' : code.length === OTP_DIGITS;
  return (
    <>
      {kind === 'recovery' ? (
        <TextInput
          label={t('otp.recoveryCode')}
          size="sm"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isInvalid}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
      ) : (
        <PinInput
          ariaLabel={t('otp.digit')}
          length={OTP_DIGITS}
          type="number"
          oneTimeCode
          autoFocus
          size="md"
          gap={8}
          placeholder=""
          styles={{ root: { justifyContent: 'space-between' } }}
          value={code}
          onChange={setCode}
          onComplete={onCode}
          disabled={isBusy}
          error={isInvalid && code === ''}
        />
      )}
      <Button
        size="sm"
        fullWidth
        disabled={!isComplete}
        loading={isBusy}
        type={kind === 'recovery' ? 'submit' : 'button'}
        onClick={() => onCode(code)}
      >
        {t('otp.verify')}
      </Button>
    </>
  );
}
