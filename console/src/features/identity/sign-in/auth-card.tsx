import { Select, Title } from '@mantine/core';
import { LOCALES, type Locale } from '@tyrian/contract';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { APP_VERSION, PRODUCT_NAME } from '../../../lib/app-version.ts';
import { LANGUAGE_NAMES } from '../../../lib/language-names.ts';
import { changeSettings, useSettings } from '../../../lib/settings.ts';
import classes from './auth-card.module.css';

interface AuthCardProps {
  /** The product name stands for it on the first page. */
  readonly title?: string;
  readonly wide?: boolean;
  readonly onSubmit?: () => void;
  readonly children: ReactNode;
}

/** The quiet card of every page before a session: name, title, content; language and version below. */
export function AuthCard({ title, wide, onSubmit, children }: AuthCardProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <main className={classes.page}>
      <form
        className={`${classes.card} ${wide ? classes.wide : ''}`}
        onSubmit={submit}
        aria-labelledby="auth-card-title"
      >
        <div className={classes.brand}>
          <span className={classes.mark} aria-hidden />
          <Title order={1} id="auth-card-title">
            {title ?? PRODUCT_NAME}
          </Title>
        </div>
        {children}
      </form>
      <footer className={classes.foot}>
        <LanguageSelect />
        <span>{APP_VERSION}</span>
      </footer>
    </main>
  );
}

function LanguageSelect() {
  const { t } = useTranslation('auth');
  const { locale } = useSettings();
  return (
    <Select
      aria-label={t('signIn.language')}
      variant="unstyled"
      w={120}
      allowDeselect={false}
      value={locale}
      onChange={(next) => next && changeSettings({ locale: next as Locale })}
      data={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
    />
  );
}
