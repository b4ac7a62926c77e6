import { Button } from '@mantine/core';
import type { RuleDraft } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useWorkbookPaths } from '../../workbooks/public.ts';
import { DraftText, type DraftTextProps } from './draft-text.tsx';

interface KqlDraftProps extends DraftTextProps {
  readonly kql: NonNullable<RuleDraft['kql']>;
}

/** The draft as a query, on its way to a new workbook. */
export function KqlDraft({ kql, onClose, ...shown }: KqlDraftProps) {
  const { t } = useTranslation('draft');
  const navigate = useNavigate();
  const paths = useWorkbookPaths();
  const open = () => {
    onClose();
    void navigate(paths.page('new', 'blank', { query: kql.text }));
  };
  return (
    <DraftText
      {...shown}
      text={kql.text}
      kql={kql.text}
      others={kql.others}
      matchesAll={kql.matches_all}
      actions={
        <Button disabled={shown.isBusy} onClick={open}>
          {t('openWorkbook')}
        </Button>
      }
    />
  );
}
