import { MantineProvider } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { activateLocale, dayjsLocale } from '../lib/i18n.ts';
import { useSettings } from '../lib/settings.ts';
import { queryClient } from './query-client.ts';
import { cssVariables, theme } from './theme.ts';

/** Everything that pages stand in: theme, dates, texts, server data, toasts. */
export function Providers({ children }: { readonly children: ReactNode }) {
  const settings = useSettings();
  useEffect(() => {
    if (i18next.language !== settings.locale) void activateLocale(settings.locale);
  }, [settings.locale]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={settings.theme}>
      <DatesProvider
        settings={{ locale: dayjsLocale(settings.locale), firstDayOfWeek: 1, consistentWeeks: true }}
      >
        <I18nextProvider i18n={i18next}>
          <QueryClientProvider client={queryClient}>
            <ModalsProvider>
              <Notifications position="bottom-right" autoClose={4000} limit={5} />
              {children}
            </ModalsProvider>
          </QueryClientProvider>
        </I18nextProvider>
      </DatesProvider>
    </MantineProvider>
  );
}
