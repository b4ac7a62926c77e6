import type { CaseSignal } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../lib/format-time.ts';
import { useSettings } from '../../lib/settings.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScrollFrame } from '../../ui/scroll-frame.tsx';
import { type CaseFocus, entityKey, toggleSignal } from './case-focus.ts';
import { killChain } from './kill-chain.ts';
import classes from './kill-chain-grid.module.css';

interface GridProps {
  readonly signals: readonly CaseSignal[] | undefined;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** Columns are the ATT&CK tactics in their order, rows are days; a chip is a technique seen that day. */
export function KillChainGrid({ signals, focus, onFocus }: GridProps) {
  const { t } = useTranslation('cases');
  const { timeZone, locale } = useSettings();
  const grid = useMemo(
    () => killChain(signals ?? [], (time) => formatTime(time, 'monthDayYear', timeZone, locale)),
    [signals, timeZone, locale],
  );
  if (!signals) return null;
  if (grid.days.length === 0) {
    return <EmptyState kind="nothing-yet" title={t('view.empty')} text={t('side.noSignalsText')} />;
  }
  return (
    <ScrollFrame label={t('view.kill-chain')} className={classes.scroll}>
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">{t('view.day')}</th>
            {grid.tactics.map((tactic) => (
              <th key={tactic} scope="col">
                {tactic}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.days.map((day) => (
            <tr key={day.label}>
              <th scope="row">{day.label}</th>
              {grid.tactics.map((tactic) => (
                <td key={tactic}>
                  {(day.cells.get(tactic) ?? []).map((chip) => (
                    <button
                      key={chip.technique}
                      type="button"
                      className={classes.chip}
                      data-lit={chip.signals.some((signal) => isLit(signal, focus)) || undefined}
                      title={chip.signals.map((signal) => signal.name).join('\n')}
                      onClick={() => onFocus(toggleSignal(focus, chip.signals[0]?.signal_id ?? ''))}
                    >
                      {chip.technique}
                      {chip.signals.length > 1 ? (
                        <span className={classes.count}>{chip.signals.length}</span>
                      ) : null}
                    </button>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function isLit(signal: CaseSignal, focus: CaseFocus): boolean {
  if (signal.signal_id === focus.signalId) return true;
  return [...signal.suspects, ...signal.targets].some((party) => entityKey(party) === focus.entityKey);
}
