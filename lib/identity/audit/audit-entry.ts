/** An entry of the audit log as the screen shows it. */
export interface AuditEntry {
  id: string;
  at: string;
  actorName: string;
  action: string;
  targetName: string | null;
}
