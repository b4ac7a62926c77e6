import { CasePage } from '../features/cases/case-page.tsx';
import { CaseSignalPanel } from '../features/signals/public.ts';

/** A case, which opens its signals as the signals feature shows them. */
export const CaseScreen = () => <CasePage SignalPanel={CaseSignalPanel} />;
