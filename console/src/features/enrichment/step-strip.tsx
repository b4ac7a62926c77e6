import { Anchor, Text } from '@mantine/core';
import { ENRICHMENT_STEPS, type EnrichmentTable, type listEnrichment, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import classes from './enrichment.module.css';
import { useEnrichmentPaths } from './enrichment-words.ts';

interface StepStripProps {
  readonly tables: readonly EnrichmentTable[] | undefined;
  readonly geo: OutputOf<typeof listEnrichment>['geo'] | undefined;
  /** What is not known could not be loaded. */
  readonly isFailed: boolean;
}

/** The steps that every event passes, in their order, with what each of them works with. */
export function StepStrip({ tables, geo, isFailed }: StepStripProps) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const paths = useEnrichmentPaths();
  const unknown = isFailed ? '–' : '…';
  const about = (step: (typeof ENRICHMENT_STEPS)[number]): string => {
    if (step === 'geo') return geo ? t(geo.is_ready ? 'steps.geoReady' : 'steps.geoMissing') : unknown;
    const on = tables?.filter((table) => table.kind === step && table.enabled);
    if (!on) return unknown;
    const rows = on.reduce((sum, table) => sum + table.rows, 0);
    const values = { tables: formatInteger(on.length, locale), rows: formatInteger(rows, locale) };
    return on.length === 0 ? t('steps.none') : t('steps.figures', values);
  };
  return (
    <section aria-label={t('steps.title')} className={classes.strip}>
      <ol className={classes.steps}>
        {ENRICHMENT_STEPS.map((step) => (
          <li key={step}>
            <span className={classes.stepName}>
              {step === 'geo' ? (
                <Anchor component={Link} to={paths.geo} inherit>
                  {t('steps.geo')}
                </Anchor>
              ) : (
                t(`kinds.${step}`)
              )}
            </span>
            <span className={classes.stepAbout}>{about(step)}</span>
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed">
        {t('newEventsOnly')}
      </Text>
    </section>
  );
}
