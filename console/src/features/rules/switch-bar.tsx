import { Button, Select } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { OWN_PACK, STAGES } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DownloadContentDialog } from '../content/public.ts';
import { RetroHuntButton } from '../rule-preview/public.ts';
import { RemovePack } from './remove-pack.tsx';
import { type RuleListLink, ruleFilterOf } from './rule-links.ts';
import styles from './rules.module.css';
import { useSwitchRules } from './use-switch-rules.ts';

interface SwitchBarProps {
  readonly link: RuleListLink;
  /** Rules that the filter lets through. */
  readonly total: number;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
  /** The pack of the filter was removed. */
  readonly onPackGone: () => void;
}

/** Switches the selected rules, or all that the filter lets through, on and off, into a stage. */
export function SwitchBar({ link, total, selected, onDone, onPackGone }: SwitchBarProps) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const { switchRules, isPending } = useSwitchRules();
  const [stage, setStage] = useState<(typeof STAGES)[number]>('test');
  const count = formatInteger(selected.size || total, locale);
  const change = (enabled: boolean) => {
    const which = selected.size > 0 ? { rule_ids: [...selected] } : { filter: ruleFilterOf(link) };
    switchRules(which, enabled, enabled ? stage : undefined);
    onDone();
  };
  const button = { size: 'xs', variant: 'default', loading: isPending } as const;
  return (
    <div className={styles.bar}>
      <span>{t(selected.size > 0 ? 'switch.selected' : 'switch.all', { count })}</span>
      <Select
        aria-label={t('columns.stage')}
        data={STAGES.map((value) => ({ value, label: t(`workbooks:stages.${value}`) }))}
        value={stage}
        onChange={(value) => setStage(STAGES.find((one) => one === value) ?? 'test')}
        allowDeselect={false}
        w={100}
        size="xs"
      />
      <ConfirmButton
        {...button}
        title={t('switch.askOn', { count })}
        consequence={t('switch.askOnText', { stage: t(`workbooks:stages.${stage}`) })}
        confirmLabel={t('switch.turnOn')}
        onConfirm={() => change(true)}
      >
        {t('switch.turnOn')}
      </ConfirmButton>
      <ConfirmButton
        {...button}
        title={t('switch.askOff', { count })}
        consequence={t('switch.askOffText')}
        confirmLabel={t('switch.turnOff')}
        onConfirm={() => change(false)}
      >
        {t('switch.turnOff')}
      </ConfirmButton>
      <RetroHuntButton ruleIds={[...selected]} />
      <DownloadRules link={link} total={total} selected={selected} />
      {link.pack !== '' && link.pack !== OWN_PACK && <RemovePack packId={link.pack} onDone={onPackGone} />}
    </div>
  );
}

/** The selected rules as a file, or all that the filter lets through. */
function DownloadRules({ link, total, selected }: Pick<SwitchBarProps, 'link' | 'total' | 'selected'>) {
  const { t } = useTranslation('rules');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('download')}
      </Button>
      {isAsking && (
        <DownloadContentDialog
          {...(selected.size > 0 ? { ruleIds: [...selected] } : { ruleFilter: ruleFilterOf(link) })}
          count={selected.size || total}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
