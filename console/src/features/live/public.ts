// What other parts of the console use of what is new.

export { CaseNewsLine } from './case-news-line.tsx';
export { NewCasesPill } from './new-cases-pill.tsx';
export { NewSignalsPill } from './new-signals-pill.tsx';
export { forgetNews, takeNews, unreadIs, useNews } from './news-store.ts';
export { useLive } from './use-live.ts';
export { useMenuNews } from './use-menu-news.ts';
