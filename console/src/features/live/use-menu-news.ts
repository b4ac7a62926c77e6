import { useNews } from './news-store.ts';

/** How much is new behind an entry of the menu, by the key of its title. */
export function useMenuNews(): Readonly<Record<string, number>> {
  const { signalIds, caseChanges, casesSeen } = useNews();
  const cases = new Set(caseChanges.filter((one) => one.seq > casesSeen).map((one) => one.case_id));
  return { signals: signalIds.length, cases: cases.size };
}
