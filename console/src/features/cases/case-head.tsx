import { Button } from '@mantine/core';
import { IconBriefcase, IconNotes, IconPencil } from '@tabler/icons-react';
import { type Case, type CaseStatus, NEXT_STATUSES, type Resolution } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { caseAge, secondsText } from './case-age.ts';
import { CaseExportMenu } from './case-export-menu.tsx';
import classes from './case-head.module.css';
import { useStatusChange } from './case-queries.ts';
import { CaseStatusLabel } from './case-status.tsx';
import { EditCaseDialog } from './edit-case-dialog.tsx';
import { HandlerField } from './handler-field.tsx';
import { togglePageNotes } from './notes-panel-store.ts';
import { ResolutionDialog } from './resolution-dialog.tsx';
import { TakeCaseDialog } from './take-case-dialog.tsx';

/** Name, handler, severity, status, and the statuses that may follow as buttons. */
export function CaseHead({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  const scope = useScope();
  const [isEditing, setEditing] = useState(false);
  return (
    <div className={classes.head}>
      <PageHead
        icon={IconBriefcase}
        parents={[{ title: t('title'), to: scopePath(scope, '/incident/cases') }]}
        title={`${one.case_key} ${one.case_name}`}
        actions={
          <>
            <NextSteps one={one} />
            <CaseExportMenu cases={[one]} />
            <Button
              variant="default"
              leftSection={<IconNotes size={14} aria-hidden />}
              onClick={() => togglePageNotes(one.case_id)}
            >
              {t('notes.button')}
            </Button>
          </>
        }
      >
        {one.status === 'CLOSED' ? null : (
          <IconButton label={t('edit.title')} size={24} onClick={() => setEditing(true)}>
            <IconPencil size={14} />
          </IconButton>
        )}
      </PageHead>
      <CaseFacts one={one} />
      {isEditing ? <EditCaseDialog one={one} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

function CaseFacts({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  const resolution = one.status === 'CLOSED' ? one.resolution : null;
  const status = (
    <>
      <CaseStatusLabel status={one.status} />
      {resolution ? <span>({t(`resolution.${resolution}`)})</span> : null}
    </>
  );
  const facts = [
    ['list.status', status],
    ['list.severity', <SeverityChip key="severity" severity={one.severity} />],
    ['list.handler', <HandlerField key="handler" one={one} />],
    ['list.signals', one.signal_count],
    ['list.artifacts', one.artifact_count],
    ['list.risk', one.risk_score],
    ['list.age', caseAge(one, Date.now())],
    ['list.tta', secondsText(one.tta_seconds)],
    ['list.ttr', secondsText(one.ttr_seconds)],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([key, value]) => (
        <div key={key} className={classes.fact}>
          <dt>{t(key)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The step that brings a case nearer to its end. A pause and a new start are there too, but never the first thing seen. */
const FORWARD: Readonly<Partial<Record<CaseStatus, CaseStatus>>> = {
  OPEN: 'IN-PROGRESS',
  'ON-HOLD': 'IN-PROGRESS',
  'IN-PROGRESS': 'CLOSED',
};

/** One button per status that may follow; what a step asks for is asked in place. */
function NextSteps({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [asked, setAsked] = useState<CaseStatus | null>(null);
  const change = useStatusChange();
  const go = (status: CaseStatus, resolution?: Resolution, note?: string) =>
    change.mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, case_id: one.case_id, status, resolution, note: note || undefined },
      },
      { onSuccess: () => setAsked((now) => (now === status ? null : now)) },
    );
  const step = (status: CaseStatus) => {
    if (status === 'CLOSED' || (status === 'IN-PROGRESS' && !one.handler)) setAsked(status);
    else go(status);
  };
  return (
    <>
      {NEXT_STATUSES[one.status].map((status) => (
        <Button
          key={status}
          variant={status === FORWARD[one.status] ? 'filled' : 'default'}
          loading={change.isPending && change.variables.input.status === status}
          disabled={change.isPending}
          onClick={() => step(status)}
        >
          {t(`step.${status}`)}
        </Button>
      ))}
      {asked === 'CLOSED' ? (
        <ResolutionDialog
          title={t('close.title', { key: one.case_key })}
          isSaving={change.isPending}
          onClose={() => setAsked(null)}
          onConfirm={(resolution, note) => go('CLOSED', resolution, note)}
        />
      ) : null}
      {asked === 'IN-PROGRESS' ? (
        <TakeCaseDialog one={one} onClose={() => setAsked(null)} onAssigned={() => go('IN-PROGRESS')} />
      ) : null}
    </>
  );
}
