import { IconLayoutDashboard, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { lastRange } from '../../lib/time-range.ts';
import { useAddressRange } from '../../lib/use-address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { EventsOverTime } from './events-over-time.tsx';
import { FigureLink } from './figure-link.tsx';
import classes from './overview-page.module.css';
import { RankedList } from './ranked-list.tsx';
import { SeverityBars } from './severity-bars.tsx';
import { useOverview } from './use-overview.ts';
import { useOverviewLinks } from './use-overview-links.ts';

/** Events over time by stream, signals by severity, top detections, sources and hosts: figures, each a way to what it counts. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const [range, setRange] = useAddressRange(lastRange('24h'));
  const overview = useOverview(range);
  const links = useOverviewLinks(range);
  const data = overview.data?.figures;
  const isEmpty = data !== undefined && data.totals.events === 0 && data.totals.signals === 0;
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconLayoutDashboard}
          title={t('title')}
          actions={
            <>
              <TimeRangePicker value={range} onChange={setRange} />
              <IconButton
                label={t('refresh')}
                onClick={() => void overview.refetch()}
                loading={overview.isFetching}
              >
                <IconRefresh size={16} />
              </IconButton>
            </>
          }
        />
      }
    >
      {overview.isLoadingError ? (
        <ErrorPanel error={overview.error} onRetry={() => void overview.refetch()} />
      ) : isEmpty ? (
        <EmptyState kind="nothing-in-range" title={t('empty')} text={t('emptyText')} />
      ) : (
        <div className={classes.grid} aria-busy={!data}>
          <div className={classes.totals}>
            {(['events', 'signals', 'sources', 'unparsed'] as const).map((name) => (
              <FigureLink key={name} to={links?.[name]} className={classes.total}>
                <span className={classes.figure}>{data ? formatCount(data.totals[name]) : '–'}</span>
                <span className={classes.note}>{t(`totals.${name}`)}</span>
              </FigureLink>
            ))}
          </div>
          <section className={classes.wide} aria-label={t('events')}>
            <h2 className={classes.caption}>{t('events')}</h2>
            <EventsOverTime data={data} range={overview.data?.range} links={links} />
          </section>
          <section className={classes.panel} aria-label={t('signals')}>
            <h2 className={classes.caption}>{t('signals')}</h2>
            <SeverityBars counts={data?.signals} linkOf={links?.band} />
          </section>
          <RankedList
            title={t('detections')}
            items={data?.top_detections}
            none={t('noDetections')}
            linkOf={links?.detection}
          />
          <RankedList
            title={t('sources')}
            items={data?.top_sources}
            none={t('none')}
            linkOf={links?.source}
          />
          <RankedList title={t('hosts')} items={data?.top_hosts} none={t('none')} linkOf={links?.host} />
        </div>
      )}
    </PageLayout>
  );
}
