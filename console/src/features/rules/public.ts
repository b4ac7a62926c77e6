// What other features use of rules.

export { DraftRuleDialog } from './draft/draft-rule-dialog.tsx';
