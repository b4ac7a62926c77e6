// What other features may use of the audit trail.
export { AuditTable } from './audit-table.tsx';
