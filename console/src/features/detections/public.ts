// What workbooks use of the detections that they hold: state, health, schedule and switch.
export { RuleHealthPanel } from './rule-health-panel.tsx';
export { RuleStateChip } from './rule-state-chip.tsx';
export { ScheduleDialog } from './schedule-dialog.tsx';
export { useSwitchDetections } from './use-switch-detection.ts';
