import { Anchor, Badge, Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ContentUpdateDetail, readContentUpdate } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import styles from './content.module.css';
import { useContentPaths } from './content-links.ts';
import { SideBySide } from './side-by-side.tsx';
import { useDecide } from './use-decide.ts';
import { versionsText } from './use-update-columns.tsx';

interface UpdateDialogProps {
  readonly updateId: string;
  /** Of the list, in its order. */
  readonly ids: readonly string[];
  readonly mayDecide: boolean;
  /** Shows another update; '' closes. */
  readonly onShow: (updateId: string) => void;
}

/** One update with its texts side by side; goes on to the next one of the list when it is decided. */
export function UpdateDialog({ updateId, ids, mayDecide, onShow }: UpdateDialogProps) {
  const { t } = useTranslation('content');
  const { clusterId, scopeId } = useScope();
  const found = useQuery(
    callQuery(
      readContentUpdate,
      { scope_id: scopeId, update_id: updateId },
      { params: { clusterId }, quiet: true },
    ),
  );
  const at = ids.indexOf(updateId);
  const step = (by: number) => onShow(ids[at + by] ?? '');
  return (
    <Dialog
      onClose={() => onShow('')}
      size="min(1200px, 96vw)"
      title={
        <Group gap={8}>
          <span>{found.data?.name ?? t('update')}</span>
          <IconButton label={t('previous')} disabled={at <= 0} onClick={() => step(-1)} size={26}>
            <IconArrowUp size={16} />
          </IconButton>
          <IconButton
            label={t('next')}
            disabled={at < 0 || at + 1 >= ids.length}
            onClick={() => step(1)}
            size={26}
          >
            <IconArrowDown size={16} />
          </IconButton>
        </Group>
      }
    >
      <Answered query={found}>
        {(update) => (
          <Compared
            key={update.update_id}
            update={update}
            mayDecide={mayDecide}
            onDecided={() => onShow(ids[at + 1] ?? ids[at - 1] ?? '')}
          />
        )}
      </Answered>
    </Dialog>
  );
}

interface ComparedProps {
  readonly update: ContentUpdateDetail;
  readonly mayDecide: boolean;
  readonly onDecided: () => void;
}

type View = 'text' | 'query' | 'own';

function Compared({ update, mayDecide, onDecided }: ComparedProps) {
  const { t } = useTranslation('content');
  const [view, setView] = useState<View>('text');
  const { kind, change, parts } = update;
  const views: readonly View[] = [
    'text',
    ...(update.query ? (['query'] as const) : []),
    ...(update.own ? (['own'] as const) : []),
  ];
  const { before, after } = update[view] ?? update.text;
  const [from, to] = [update.from_version ?? 0, update.to_version ?? 0];
  return (
    <Stack gap={12}>
      <Facts update={update} />
      {parts.length > 0 && (
        <Group gap={4}>
          {parts.map((part) => (
            <Badge key={part} variant="default" size="sm" tt="none">
              {t(`parts.${part}`)}
            </Badge>
          ))}
        </Group>
      )}
      {views.length > 1 && (
        <SegmentedControl
          aria-label={t('compare')}
          size="xs"
          data={views.map((value) => ({ value, label: t(`view.${kind}.${value}`) }))}
          value={view}
          onChange={(value) => setView(views.find((one) => one === value) ?? 'text')}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      <Box component="section" className={styles.texts} aria-label={t('compare')} tabIndex={0}>
        <SideBySide
          before={before}
          after={after}
          beforeTitle={t(change === 'gone' ? 'now' : 'before', { version: from })}
          afterTitle={view === 'own' ? t('yourCopy') : t('after', { version: to })}
        />
      </Box>
      {mayDecide && <Decision update={update} onDecided={onDecided} />}
    </Stack>
  );
}

/** What it is about and what stays, in sentences. */
function Facts({ update }: { readonly update: ContentUpdateDetail }) {
  const { t } = useTranslation('content');
  const paths = useContentPaths();
  const { kind, change, customised, enabled, of, from_version, to_version } = update;
  const sentences = [
    kind === 'copy'
      ? t('sentence.copy', { name: of, from: from_version, to: to_version })
      : t(`sentence.${kind}.${change}`, { pack: of, versions: versionsText(update) }),
    enabled ? t('sentence.on') : '',
    kind === 'rule' && customised ? t('sentence.settings') : '',
    kind === 'workbook' && customised ? t('sentence.copied') : '',
  ];
  return (
    <Text size="sm">
      {sentences.filter((sentence) => sentence !== '').join(' ')}{' '}
      {change !== 'new' && (
        <Anchor component={Link} to={paths.item(update.ID)} size="sm">
          {t('open')}
        </Anchor>
      )}
    </Text>
  );
}

function Decision({ update, onDecided }: Omit<ComparedProps, 'mayDecide'>) {
  const { t } = useTranslation('content');
  const { decide, isPending } = useDecide();
  const act = (take: boolean) => decide([update.update_id], take, onDecided);
  return (
    <Group justify="flex-end" gap={8}>
      {update.state === 'open' && (
        <Button variant="default" loading={isPending} onClick={() => act(false)}>
          {t('decline')}
        </Button>
      )}
      <Button loading={isPending} onClick={() => act(true)} data-autofocus>
        {t(update.kind === 'copy' ? 'looked' : 'take')}
      </Button>
    </Group>
  );
}
