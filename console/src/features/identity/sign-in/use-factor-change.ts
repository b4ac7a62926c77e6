import { startRegistration } from '@simplewebauthn/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  readFactors,
  removeFactor,
  renewRecoveryCodes,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, call } from '../../../lib/call.ts';
import { serverText } from '../../../lib/server-text.ts';
import { markStale } from '../../../lib/use-call.ts';

/** What is to change: an app or a passkey to add, new recovery codes, or a factor to remove. */
export type FactorChange =
  | { readonly kind: 'totp' | 'passkey' | 'codes' }
  | {
      readonly kind: 'remove';
      readonly factor: 'totp' | 'passkey';
      readonly id?: string;
      readonly name: string;
    };

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'app'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

type PasskeyOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Makes a passkey in the browser and hands it in; recovery codes when it is the first factor. */
async function addPasskey(password: string, name: string): Promise<readonly string[]> {
  const { options } = await call(beginPasskey, { input: { password } });
  const passkey = await startRegistration({ optionsJSON: options as unknown as PasskeyOptions });
  return (await call(confirmPasskey, { input: { name, passkey: { ...passkey } } })).recovery_codes;
}

/** The steps of one change, and what went wrong in the last. */
export function useFactorChange(change: FactorChange, onDone: () => void) {
  const { t } = useTranslation('auth');
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const [error, setError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const finish = async (codes: readonly string[]) => {
    await markStale(client, [readFactors]);
    if (codes.length > 0) setStep({ kind: 'codes', codes });
    else onDone();
  };
  const begin = async (password: string, name: string) => {
    switch (change.kind) {
      case 'totp':
        setStep({ kind: 'app', ...(await call(beginTotp, { input: { password } })) });
        return;
      case 'passkey':
        return finish(await addPasskey(password, name));
      case 'codes':
        return finish((await call(renewRecoveryCodes, { input: { password } })).recovery_codes);
      case 'remove': {
        const { factor: kind, id } = change;
        await call(removeFactor, { input: { kind, password, ...(id ? { id } : {}) } });
        return finish([]);
      }
    }
  };
  const work = useMutation<void, unknown, () => Promise<void>>({
    mutationFn: (task) => {
      setError(null);
      return task();
    },
    meta: { quiet: true },
    onError: (failure) => {
      setAttempt((count) => count + 1);
      setError(failure instanceof CallError ? serverText(failure) : t('factors.passkeyFailed'));
    },
  });
  return {
    step,
    error,
    attempt,
    isBusy: work.isPending,
    begin: (password: string, name: string) => work.mutate(() => begin(password, name)),
    confirmApp: (otp: string) =>
      work.mutate(async () => finish((await call(confirmTotp, { input: { otp } })).recovery_codes)),
  };
}
