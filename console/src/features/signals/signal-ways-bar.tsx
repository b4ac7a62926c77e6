import { IconBook2, IconBriefcase, IconBroadcast, IconSearch, IconZoomCode } from '@tabler/icons-react';
import { type ComponentType, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../lib/settings.ts';
import { isSingleKey } from '../../lib/use-key-sequence.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { mainEntity, type SignalRef, signalKeys, useSignalWays } from './use-signal-ways.ts';

interface SignalWaysBarProps {
  readonly signal: SignalRef & { readonly workbook_exists?: boolean };
  /** Where the signal is shown already: the way there is left out. */
  readonly at?: 'queue' | 'case';
}

/** The ways from one signal as buttons, each with its key; the keys work while the bar is shown. */
export function SignalWaysBar({ signal, at }: SignalWaysBarProps) {
  const { t } = useTranslation('signals');
  const { shortcuts } = useSettings();
  const ways = useSignalWays();
  useSignalKeys(signal, ways);
  const entity = mainEntity(signal);
  const label = (text: string, key: string) => (shortcuts ? t('ways.withKey', { text, key }) : text);
  const button = (text: string, key: string, Icon: ComponentType<{ size: number }>, work: () => void) => (
    <IconButton label={key === '' ? text : label(text, key)} onClick={work} size={26}>
      <Icon size={16} />
    </IconButton>
  );
  return (
    <>
      {button(t('ways.events'), 'v', IconZoomCode, () => void ways.events(signal))}
      {signal.workbook_exists !== false
        ? button(t('ways.rule'), 'r', IconBook2, () => ways.rule(signal))
        : null}
      {entity
        ? button(t('ways.entity', { value: entity.value }), 'i', IconSearch, () => ways.entity(signal))
        : null}
      {at !== 'case' && (signal.case_ids?.length ?? 0) > 0
        ? button(t('ways.case'), 'o', IconBriefcase, () => ways.openCase(signal))
        : null}
      {at === 'queue' ? null : button(t('ways.queue'), '', IconBroadcast, () => ways.queue(signal))}
    </>
  );
}

/** Keys of the opened signal, unless somebody types, a dialog is open, or something else took the key. */
function useSignalKeys(signal: SignalRef, ways: ReturnType<typeof useSignalWays>): void {
  useEffect(() => {
    const keys = signalKeys(ways);
    const onKey = (event: KeyboardEvent) => {
      const work = isSingleKey(event) && !event.shiftKey ? keys[event.key] : undefined;
      if (!work) return;
      event.preventDefault();
      work(signal);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [signal, ways]);
}
