import { Button, Select } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../../lib/session-store.ts';
import { findPath } from '../../../query-kit/runs/find-path.ts';
import styles from './rule-editor.module.css';

const HOURS = ['1', '24', '168', '720'] as const;

/** Runs the query of a rule over the last hours, in Find. */
export function RuleTryOut({ kql }: { readonly kql: string }) {
  const { t } = useTranslation('sigma');
  const scope = useScope();
  const [hours, setHours] = useState<string>('24');
  const now = Date.now();
  return (
    <div className={styles.tryOut}>
      <Select
        aria-label={t('tryOut.range')}
        data={HOURS.map((value) => ({ value, label: t(`tryOut.hours.${value}`) }))}
        value={hours}
        onChange={(value) => setHours(value ?? '24')}
        allowDeselect={false}
        size="xs"
        w={150}
      />
      <Button
        size="xs"
        variant="default"
        component={Link}
        to={findPath(scope, kql, { from: now - Number(hours) * 3_600_000, to: now })}
        target="_blank"
        leftSection={<IconExternalLink size={14} aria-hidden />}
      >
        {t('tryOut.run')}
      </Button>
    </div>
  );
}
