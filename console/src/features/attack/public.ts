// What other features use of ATT&CK: whom signals remind of, and what it says of a workbook.

export { SignalAttribution } from './signal-attribution.tsx';
export { WorkbookAttackPanel } from './workbook-attack-panel.tsx';
