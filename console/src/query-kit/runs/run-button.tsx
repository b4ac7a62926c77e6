import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './run-button.module.css';

interface RunButtonProps {
  readonly isRunning: boolean;
  readonly disabled: boolean;
  /** Queries in the text; with several the one under the cursor runs, or all of them. */
  readonly count: number;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onStop: () => void;
  readonly variant?: 'filled' | 'default';
}

/** Run, and beside it what else can be run; Stop while something runs. */
export function RunButton({ isRunning, disabled, count, onRun, onRunAll, onStop, ...rest }: RunButtonProps) {
  const { t } = useTranslation('search');
  const { variant = 'filled' } = rest;
  if (isRunning)
    return (
      <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={onStop} miw={96}>
        {t('query.stop')}
      </Button>
    );
  const run = (
    <Button
      variant={variant}
      leftSection={<IconPlayerPlay size={14} />}
      onClick={onRun}
      disabled={disabled}
      title={t('query.runKeys')}
      miw={96}
    >
      {t('query.run')}
    </Button>
  );
  if (count < 2) return run;
  return (
    <Button.Group className={styles.group}>
      {run}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant={variant} disabled={disabled} px={6} aria-label={t('query.runWhat')}>
            <IconChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onRun} rightSection={<span className={styles.keys}>Shift+Enter</span>}>
            {t('query.runOne')}
          </Menu.Item>
          <Menu.Item onClick={onRunAll} rightSection={<span className={styles.keys}>Ctrl+Shift+Enter</span>}>
            {t('query.runAll', { count })}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
