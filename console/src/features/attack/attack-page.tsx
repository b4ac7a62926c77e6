import { Button, SegmentedControl } from '@mantine/core';
import { IconGridDots, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { attackComparison, attackMatrix, attackTactics } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import styles from './attack.module.css';
import { AttackFilters } from './attack-filters.tsx';
import {
  type AttackLink,
  againstOf,
  type ChangeAttackLink,
  filtersOf,
  useAttackLink,
  VIEWS,
} from './attack-link.ts';
import { AttackMatrixView } from './attack-matrix-view.tsx';
import { AttackSummary } from './attack-summary.tsx';
import { CompareBar } from './compare-bar.tsx';
import { GapsView } from './gaps-view.tsx';
import { LayersDialog } from './layers-dialog.tsx';
import { TechniquePanel } from './technique-panel.tsx';

const LOOK_AGAIN_MS = 60_000;

/** What the scope sees of the techniques of ATT&CK, what it found of them, and what would cover more. */
export function AttackPage() {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const [link, change] = useAttackLink();
  const [isOpen, setOpen] = useState(false);
  const lists = useQuery(
    callQuery(attackTactics, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconGridDots}
          title={t('title')}
          actions={
            <Button
              variant="default"
              leftSection={<IconStack2 size={14} aria-hidden />}
              onClick={() => setOpen(true)}
            >
              {t('layers.title')}
            </Button>
          }
        >
          <SegmentedControl
            size="xs"
            aria-label={t('views.label')}
            value={link.view}
            onChange={(view) => change({ view: VIEWS.find((one) => one === view) ?? 'coverage' })}
            data={VIEWS.map((view) => ({ value: view, label: t(`views.${view}`) }))}
          />
        </PageHead>
      }
      filters={<AttackFilters link={link} change={change} lists={lists.data} />}
      aside={
        link.technique === '' ? null : (
          <TechniquePanel
            key={link.technique}
            link={link}
            change={change}
            onClose={() => change({ technique: '' })}
          />
        )
      }
    >
      <div className={styles.page}>
        {link.view === 'gaps' ? (
          <GapsView link={link} change={change} />
        ) : (
          <Matrix link={link} change={change} notice={lists.data?.notice ?? ''} />
        )}
      </div>
      {isOpen && <LayersDialog link={link} change={change} onClose={() => setOpen(false)} />}
    </PageLayout>
  );
}

interface MatrixProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly notice: string;
}

function Matrix({ link, change, notice }: MatrixProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const params = { clusterId };
  const tab = link.view === 'signals' ? 'signals' : 'coverage';
  const input = { scope_id: scopeId, tab, days: link.days, addfilters: filtersOf(link) } as const;
  const matrix = useQuery(
    callQuery(attackMatrix, input, { params, keep: true, quiet: true, every: LOOK_AGAIN_MS }),
  );
  const against = againstOf(link.against);
  const comparison = useQuery(
    callQuery(
      attackComparison,
      { scope_id: scopeId, against: against ?? { kind: 'day', day: '1970-01-01' } },
      { params, quiet: true, enabled: against !== null, every: LOOK_AGAIN_MS },
    ),
  );
  const compared = against ? comparison.data : undefined;
  return (
    <Answered query={matrix}>
      {(found) => (
        <>
          <AttackSummary matrix={found} link={link} change={change} />
          <CompareBar link={link} change={change} comparison={comparison} />
          <AttackMatrixView matrix={found} link={link} change={change} comparison={compared} />
          <footer className={styles.notice}>
            {found.unknown.length > 0 && (
              <span>{t('unknown', { version: found.version, ids: found.unknown.join(', ') })} </span>
            )}
            <span lang="en">
              ATT&amp;CK {found.version}. {notice}
            </span>
          </footer>
        </>
      )}
    </Answered>
  );
}
