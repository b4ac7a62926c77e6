/** How the menus of the top bar open: within 300 ms (specification, section 9). */
export const TOP_BAR_MENU = { transitionProps: { duration: 300 } } as const;
