import { Button, Tooltip } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { type OutputOf, verifyAuditTrail } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/call.ts';
import { formatInteger } from '../../../lib/format-number.ts';
import { notifyFailure } from '../../../lib/notify.ts';
import { useSettings } from '../../../lib/settings.ts';
import { StateMark } from '../../../ui/state-mark.tsx';

type Verdict = OutputOf<typeof verifyAuditTrail>;

/** Checks the chain of the whole trail on demand and says what it found. */
export function ChainState() {
  const { t } = useTranslation('audit');
  const { locale } = useSettings();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [isBusy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      setVerdict(await call(verifyAuditTrail, { input: {} }));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={14} aria-hidden />}
        loading={isBusy}
        onClick={() => void check()}
      >
        {t('chain.check')}
      </Button>
      <span role="status">{verdict ? <Found verdict={verdict} locale={locale} /> : null}</span>
    </>
  );
}

function Found({ verdict, locale }: { readonly verdict: Verdict; readonly locale: string }) {
  const { t } = useTranslation('audit');
  const { entries, faults, head, signed_to } = verdict;
  if (faults.length === 0) {
    return (
      <Tooltip
        label={`${head.no} · ${head.hash} · ${t('chain.signedTo', { no: formatInteger(signed_to, locale) })}`}
        multiline
        maw={420}
      >
        <span>
          <StateMark tone="good" label={t('chain.whole', { entries: formatInteger(entries, locale) })} />
        </span>
      </Tooltip>
    );
  }
  const places = faults
    .slice(0, 5)
    .map((fault) => t(`chain.${fault.kind}`, { place: placeOf(fault) }))
    .join('; ');
  return <StateMark tone="bad" label={t('chain.broken', { places })} />;
}

function placeOf({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? String(from) : `${from}–${to}`;
}
