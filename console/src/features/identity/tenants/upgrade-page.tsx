import { Table, Text } from '@mantine/core';
import { IconArrowUpCircle } from '@tabler/icons-react';
import { PLAN_LIMIT_NAMES, PLAN_LIMITS, PRODUCT_TYPES, type ProductType } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { formatCount } from '../../../lib/format-number.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import classes from './upgrade-page.module.css';

/** Which plan the page asked for belongs to, and what the plans hold. */
export function UpgradePage() {
  const { t } = useTranslation('upgrade');
  const { productType } = useSignedIn();
  const asked = useParams().plan_type as ProductType | undefined;
  const plan = PRODUCT_TYPES.find((type) => type === asked) ?? 'enterprise';
  return (
    <PageLayout
      scrolls
      head={<PageHead icon={IconArrowUpCircle} title={t('title', { plan: t(`plan.${plan}`) })} />}
    >
      <div className={classes.page}>
        <Text>
          {t('text', { plan: t(`plan.${plan}`), current: productType ? t(`plan.${productType}`) : '–' })}
        </Text>
        <Text c="dimmed" size="sm">
          {t('ask')}
        </Text>
        <Table className={classes.table} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('limit')}</Table.Th>
              {PRODUCT_TYPES.map((type) => (
                <Table.Th key={type} data-plan={type === plan || undefined}>
                  {t(`plan.${type}`)}
                  {type === productType ? <span className={classes.mine}>{t('current')}</span> : null}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">{t('features')}</Table.Th>
              {PRODUCT_TYPES.map((type) => (
                <Table.Td key={type} data-plan={type === plan || undefined}>
                  {t(type === 'enterprise' ? 'yes' : 'no')}
                </Table.Td>
              ))}
            </Table.Tr>
            {PLAN_LIMIT_NAMES.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{t(`limits.${name}`)}</Table.Th>
                {PRODUCT_TYPES.map((type) => (
                  <Table.Td key={type} data-plan={type === plan || undefined}>
                    {PLAN_LIMITS[name][type] === 0 ? '–' : formatCount(PLAN_LIMITS[name][type])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </PageLayout>
  );
}
