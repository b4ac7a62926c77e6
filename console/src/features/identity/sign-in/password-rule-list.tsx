import { Text } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { brokenPasswordRules, PASSWORD_RULES } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import classes from './password-rule-list.module.css';

/** The rules of a new password, ticked off while it is typed. */
export function PasswordRuleList({ password }: { readonly password: string }) {
  const { t } = useTranslation('auth');
  const broken = brokenPasswordRules(password);
  return (
    <div className={classes.rules}>
      <Text fw={600} mb={8}>
        {t('password.rules.title')}
      </Text>
      <ul>
        {PASSWORD_RULES.map((rule) => {
          const isKept = password !== '' && !broken.includes(rule);
          return (
            <li key={rule} data-kept={isKept || undefined}>
              {isKept ? <IconCheck size={14} aria-hidden /> : <IconCircle size={14} aria-hidden />}
              {t(`password.rules.${rule}`)}
            </li>
          );
        })}
      </ul>
      <Text size="xs" c="dimmed">
        {t('password.rules.history')}
      </Text>
    </div>
  );
}
