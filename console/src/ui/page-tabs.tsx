import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAddress } from '../lib/use-address.ts';
import classes from './page-tabs.module.css';

interface PageTab {
  /** Stands in the address as `?tab=`. */
  readonly name: string;
  readonly label: string;
  readonly panel: ReactNode;
  /** The panel brings its own bars and scrolls by itself, e.g. a list. */
  readonly fills?: boolean;
}

/**
 * The tabs of a page; the first one stands for an address without `?tab=`. Panels keep their state when another is
 * shown; one that nobody opened asks nothing of the server, since the effects of hidden panels do not run.
 */
export function PageTabs({ tabs }: { readonly tabs: readonly [PageTab, ...PageTab[]] }) {
  const [params, changeAddress] = useAddress();
  const first = tabs[0].name;
  const shown = tabs.find((one) => one.name === params.get('tab'))?.name ?? first;
  const open = (name: string | null) =>
    changeAddress(() => new URLSearchParams(name === null || name === first ? {} : { tab: name }), {
      replace: true,
    });
  return (
    <Tabs value={shown} onChange={open} className={classes.tabs}>
      <Tabs.List>
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, panel, fills }) => (
        <Tabs.Panel
          key={name}
          value={name}
          className={classes.panel}
          data-fills={fills || undefined}
          tabIndex={fills ? undefined : 0}
        >
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
