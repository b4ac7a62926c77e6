import { Anchor, Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  acceptAttribution,
  attributeWorkbook,
  type InputOf,
  workbookAttributions,
  workbookDocumentation,
  workbookKnowledge,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MarkdownText } from '../../ui/markdown-text.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './attack.module.css';
import { AttributionList } from './attribution-list.tsx';
import { useAttackPaths } from './use-attack-paths.ts';

interface WorkbookAttackPanelProps {
  /** A workbook that is saved. */
  readonly id: string;
  /** The draft of the editor, which need not be saved. */
  readonly draft: NonNullable<InputOf<typeof workbookDocumentation>['properties']>;
  /** Puts Markdown into the workbook as a block of text; absent where it cannot be changed. */
  readonly onInsert?: (markdown: string) => void;
  readonly onClose: () => void;
}

/** What ATT&CK says of a workbook, its description written from its content, and its knowledge base. */
export function WorkbookAttackPanel({ id, draft, onInsert, onClose }: WorkbookAttackPanelProps) {
  const { t } = useTranslation('attack');
  return (
    <DetailFlyout label={t('workbook.title')} title={t('workbook.title')} onClose={onClose}>
      <div className={styles.panel}>
        <Tabs defaultValue="actors" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="actors">{t('workbook.actors')}</Tabs.Tab>
            <Tabs.Tab value="text">{t('workbook.text')}</Tabs.Tab>
            <Tabs.Tab value="kb">{t('workbook.kb')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="actors" pt={10}>
            <Attributions id={id} />
          </Tabs.Panel>
          <Tabs.Panel value="text" pt={10}>
            <Documentation draft={draft} onInsert={onInsert} />
          </Tabs.Panel>
          <Tabs.Panel value="kb" pt={10}>
            <Knowledge id={id} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </DetailFlyout>
  );
}

function Attributions({ id }: { readonly id: string }) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const params = { clusterId };
  const input = { scope_id: scopeId, ID: id };
  const kept = useQuery(callQuery(workbookAttributions, input, { params, quiet: true }));
  const found = useQuery(callQuery(attributeWorkbook, input, { params, quiet: true }));
  const accept = useCallMutation(acceptAttribution, { stale: [workbookAttributions] });
  const ids = new Set(kept.data?.map(({ actor }) => actor.id));
  const button = (actor_id: string, name: string) => (
    <Button
      size="compact-xs"
      variant={ids.has(actor_id) ? 'light' : 'default'}
      disabled={accept.isPending || !kept.data}
      aria-label={t(ids.has(actor_id) ? 'workbook.takeBackOf' : 'workbook.acceptOf', { name })}
      onClick={() => accept.mutate({ params, input: { ...input, actor_id, accepted: !ids.has(actor_id) } })}
    >
      {t(ids.has(actor_id) ? 'workbook.takeBack' : 'workbook.accept')}
    </Button>
  );
  return (
    <div className={styles.stack}>
      <h3 className={styles.caption}>{t('workbook.accepted')}</h3>
      <Answered query={kept}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('workbook.noneAccepted')}
            </Text>
          ) : (
            <ul className={styles.lines}>
              {all.map(({ actor, accepted, accepted_by }) => (
                <li key={actor.id}>
                  <span>{actor.name}</span>
                  <span className={styles.count}>
                    {accepted_by} · <TimeStamp time={accepted} />
                  </span>
                  {button(actor.id, actor.name)}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
      <h3 className={styles.caption}>{t('workbook.suggested')}</h3>
      <Answered query={found}>
        {(data) => <AttributionList found={data} act={({ actor }) => button(actor.id, actor.name)} />}
      </Answered>
    </div>
  );
}

function Documentation({ draft, onInsert }: Pick<WorkbookAttackPanelProps, 'draft' | 'onInsert'>) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const text = useQuery(
    callQuery(
      workbookDocumentation,
      { scope_id: scopeId, properties: draft },
      { params: { clusterId }, quiet: true, keep: true },
    ),
  );
  return (
    <Answered query={text}>
      {({ markdown }) => (
        <div className={styles.stack}>
          <Text size="xs" c="dimmed">
            {t('workbook.textHelp')}
          </Text>
          <Group gap={8}>
            {onInsert && (
              <Button size="compact-sm" variant="default" onClick={() => onInsert(markdown)}>
                {t('workbook.insert')}
              </Button>
            )}
            <CopyButton value={markdown} />
          </Group>
          <div lang="en">
            <MarkdownText text={markdown} links="live" />
          </div>
        </div>
      )}
    </Answered>
  );
}

function Knowledge({ id }: { readonly id: string }) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const paths = useAttackPaths();
  const found = useQuery(
    callQuery(workbookKnowledge, { scope_id: scopeId, ID: id }, { params: { clusterId }, quiet: true }),
  );
  return (
    <Answered query={found}>
      {({ kb, techniques }) => (
        <div className={styles.stack}>
          <ul className={styles.lines}>
            {techniques.map((technique) => (
              <li key={technique.id}>
                <Anchor component={Link} to={paths.technique(technique.id)} size="sm">
                  {technique.id} {technique.name}
                </Anchor>
                <span className={styles.count}>{technique.tactics.join(', ')}</span>
              </li>
            ))}
          </ul>
          {kb === '' ? (
            <EmptyState kind="nothing-yet" title={t('workbook.noKb')} text={t('workbook.noKbText')} />
          ) : (
            <MarkdownText text={kb} links="live" />
          )}
        </div>
      )}
    </Answered>
  );
}
