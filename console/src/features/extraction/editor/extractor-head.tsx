import { Button, Menu, Switch } from '@mantine/core';
import {
  IconCopy,
  IconDeviceFloppy,
  IconDots,
  IconHistory,
  IconRefreshDot,
  IconSchema,
  IconTransform,
  IconUpload,
} from '@tabler/icons-react';
import type { Extractor } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { STATUS_TONES, useExtractionPaths } from '../extraction-paths.ts';
import type { ChecksQuery } from './check-column.tsx';
import type { ExtractorActs } from './use-extractor-acts.ts';
import type { ExtractorDraft, Panel } from './use-extractor-draft.ts';

interface ExtractorHeadProps {
  readonly extractor: Extractor | undefined;
  readonly draft: ExtractorDraft;
  readonly acts: ExtractorActs;
  readonly checks: ChecksQuery;
  readonly onPanel: (panel: Panel) => void;
  readonly onPublish: () => void;
  readonly onReparse: () => void;
}

/** What the extractor is called, whether it reads what comes in, and what can be done with it. */
export function ExtractorHead(props: ExtractorHeadProps) {
  const { extractor, draft } = props;
  const { t } = useTranslation('extraction');
  const paths = useExtractionPaths();
  return (
    <PageHead
      icon={IconTransform}
      title={extractor ? extractor.name || t('unnamed') : t('new')}
      parents={[{ title: t('title'), to: paths.list }]}
      actions={
        <>
          {draft.isDirty && extractor?.type !== 'native' && <StateMark tone="warn" label={t('unsaved')} />}
          {extractor && <Standing {...props} extractor={extractor} />}
          <More {...props} />
          <MainActs {...props} />
        </>
      }
    />
  );
}

function Standing({ extractor, acts }: ExtractorHeadProps & { readonly extractor: Extractor }) {
  const { t } = useTranslation('extraction');
  if (extractor.version === 0) return <StateMark tone={STATUS_TONES.draft} label={t('statuses.draft')} />;
  return (
    <Switch
      size="xs"
      label={t(`statuses.${extractor.status === 'enabled' ? 'enabled' : 'disabled'}`)}
      title={extractor.instead.map(({ name, extractor_id }) => `${extractor_id} ${name}`).join(', ')}
      checked={extractor.status === 'enabled'}
      disabled={acts.isBusy}
      onChange={(event) => acts.setEnabled(event.currentTarget.checked)}
    />
  );
}

function More({ extractor, acts, onPanel, onReparse }: ExtractorHeadProps) {
  const { t } = useTranslation('extraction');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton label={t('more')} size={28}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSchema size={14} aria-hidden />} onClick={() => onPanel('model')}>
          {t('model.title')}
        </Menu.Item>
        {extractor?.type === 'custom' && extractor.version > 0 && (
          <Menu.Item leftSection={<IconHistory size={14} aria-hidden />} onClick={() => onPanel('versions')}>
            {t('versions.title')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconRefreshDot size={14} aria-hidden />} onClick={onReparse}>
          {t('reparse.button')}
        </Menu.Item>
        {extractor?.type === 'custom' && (
          <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={acts.clone}>
            {t('clone')}
          </Menu.Item>
        )}
        {extractor?.draft !== null && extractor?.draft !== undefined && extractor.version > 0 && (
          <Menu.Item onClick={acts.discard}>{t('discard')}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function MainActs({ extractor, draft, acts, checks, onPublish }: ExtractorHeadProps) {
  const { t } = useTranslation('extraction');
  if (extractor?.type === 'native')
    return (
      <Button
        size="xs"
        leftSection={<IconCopy size={14} aria-hidden />}
        loading={acts.isBusy}
        onClick={acts.clone}
      >
        {t('clone')}
      </Button>
    );
  const isSaved = extractor !== undefined && !draft.isDirty;
  const canPublish = isSaved && extractor.draft !== null && checks.data?.ok === true;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDeviceFloppy size={14} aria-hidden />}
        disabled={isSaved}
        loading={acts.isSaving}
        title="Ctrl+S"
        onClick={() => acts.save()}
      >
        {t('saveDraft')}
      </Button>
      <Button
        size="xs"
        leftSection={<IconUpload size={14} aria-hidden />}
        disabled={!canPublish}
        title={canPublish ? undefined : t(isSaved ? 'publish.notYet' : 'publish.saveFirst')}
        onClick={onPublish}
      >
        {t('publish.button')}
      </Button>
    </>
  );
}
