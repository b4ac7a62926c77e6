// What signals and rules use of rule health: asking to tune a rule.
export { TuningButton } from './tuning-button.tsx';
