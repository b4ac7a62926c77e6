import {
  type AlertProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
} from '@mantine/core';
import type { MouseEvent } from 'react';
import controls from './controls.module.css';

// Mantine's theme on top of the tokens: magenta as the one accent, the dark ladder from text (0) to panel (7).
// Variables of the dark scheme are raised so that secondary text, links and errors keep a contrast of 4.5:1.

const magenta: MantineColorsTuple = [
  '#ffe9f6',
  '#ffd0e6',
  '#fb9fca',
  '#f66cad',
  '#f24094',
  '#f02585',
  '#ef147d',
  '#d5036b',
  '#bf005f',
  '#a70052',
];

const dark: MantineColorsTuple = [
  '#e8e8ec',
  '#c6c6cf',
  '#a9a9b4',
  '#8c8c99',
  '#30303a',
  '#2a2a33',
  '#22222a',
  '#1a1a20',
  '#121216',
  '#0d0d10',
];

const size = { defaultProps: { size: 'xs' } } as const;

/** A long list of choices scrolls itself: a scrolling part inside it would be no choice, yet reached by the keyboard. */
const styles = { options: { maxHeight: 220, overflowY: 'auto' } } as const;
const choices = { defaultProps: { size: 'xs', withScrollArea: false }, styles } as const;
/** A click into a list that can be searched marks what is chosen: what is typed then stands alone, not behind it. */
const markChosen = ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
  if (!currentTarget.readOnly) currentTarget.select();
};
/** The words that stand instead of choices stand in the list as one that can't be chosen. */
const NOTHING_TO_CHOOSE = { role: 'option', 'aria-disabled': true, 'aria-selected': false } as const;

const QUIET_NOTICE = { root: { background: 'var(--raised)', border: '1px solid var(--line)' } } as const;

export const theme = createTheme({
  colors: { magenta, dark },
  primaryColor: 'magenta',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-mono)',
  defaultRadius: 6,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '18px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '20px', lineHeight: '28px' } } },
  respectReducedMotion: true,
  components: {
    Button: size,
    TextInput: size,
    PasswordInput: size,
    Textarea: size,
    NumberInput: size,
    Select: { ...choices, defaultProps: { ...choices.defaultProps, onClick: markChosen } },
    MultiSelect: choices,
    Autocomplete: choices,
    TagsInput: choices,
    ComboboxEmpty: { defaultProps: NOTHING_TO_CHOOSE },
    Checkbox: size,
    Switch: { ...size, classNames: { track: controls.track, thumb: controls.thumb, input: controls.input } },
    SegmentedControl: size,
    Tabs: { defaultProps: { keepMounted: false } },
    // On the ground of a page the grey of the library is hardly seen.
    Alert: { styles: (_theme: unknown, props: AlertProps) => (props.color === 'gray' ? QUIET_NOTICE : {}) },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true, fz: 12 } },
    Drawer: { defaultProps: { size: 448, position: 'right' } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 150 } } },
    // The placeholder for the first focus is an element that a menu may not hold; the first entry takes it.
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 120 }, withInitialFocusPlaceholder: false },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 } } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--input-height-xs': '30px', '--button-height-xs': '30px' },
  light: {
    '--mantine-color-placeholder': '#6b6b76',
    '--mantine-color-dimmed': '#5b5b66',
    '--mantine-color-body': '#ffffff',
  },
  dark: {
    '--mantine-color-placeholder': '#8c8c99',
    '--mantine-color-dimmed': '#a9a9b4',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#f66cad',
  },
});
