import { Button } from '@mantine/core';
import { IconPlus, IconRefreshDot, IconTransform } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { useExtractionPaths } from './extraction-paths.ts';
import { ExtractorList } from './extractor-list.tsx';
import { ReparseDialog } from './reparse-dialog.tsx';
import { ReparseList } from './reparse-list.tsx';

/** How lines become events: the extractors of the tenant, and the runs that read stored events again. */
export function ExtractionPage() {
  const { t } = useTranslation('extraction');
  const paths = useExtractionPaths();
  const [isAsking, setAsking] = useState(false);
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconTransform}
          title={t('title')}
          actions={
            <>
              <Button
                variant="default"
                leftSection={<IconRefreshDot size={14} aria-hidden />}
                onClick={() => setAsking(true)}
              >
                {t('reparse.button')}
              </Button>
              <Button component={Link} to={paths.new} leftSection={<IconPlus size={14} aria-hidden />}>
                {t('new')}
              </Button>
            </>
          }
        />
      }
    >
      <PageTabs
        tabs={[
          { name: 'extractors', label: t('extractors'), fills: true, panel: <ExtractorList /> },
          { name: 'runs', label: t('runs'), fills: true, panel: <ReparseList /> },
        ]}
      />
      {isAsking && <ReparseDialog onClose={() => setAsking(false)} />}
    </PageLayout>
  );
}
