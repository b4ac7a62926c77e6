import {
  IconBriefcase,
  IconBroadcast,
  IconBuilding,
  IconBuildings,
  IconCircle,
  IconCpu,
  IconFileText,
  IconGridDots,
  IconHome,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconMail,
  IconNotebook,
  IconRocket,
  IconRulerMeasure,
  IconSchema,
  IconSearch,
  IconToggleLeft,
  IconWorld,
  IconWorldSearch,
  type TablerIcon,
} from '@tabler/icons-react';

const ICONS: Readonly<Record<string, TablerIcon>> = {
  home: IconHome,
  dashboards: IconLayoutDashboard,
  find: IconSearch,
  cases: IconBriefcase,
  signals: IconBroadcast,
  workbooks: IconNotebook,
  rules: IconRulerMeasure,
  globalSignals: IconWorld,
  globalCases: IconWorldSearch,
  reports: IconFileText,
  mitreAttack: IconGridDots,
  tenants: IconBuildings,
  organizations: IconBuilding,
  dataModel: IconSchema,
  administration: IconCpu,
  configureSmtp: IconMail,
  missionControl: IconRocket,
  manageComponents: IconCpu,
  switchboard: IconToggleLeft,
  jobs: IconListCheck,
  manageTokens: IconKey,
};

/** The icon of a menu entry by its title key; a plain circle when it has none yet. */
export function menuIcon(title: string): TablerIcon {
  return ICONS[title] ?? IconCircle;
}
