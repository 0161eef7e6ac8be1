// Every column with encrypted texts, and the binding of each.
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /** The binding: the workspace and the record, as SQL, and the purpose. */
  workspace: string;
  purpose: string;
  record: string;
}

const OWN_WORKSPACE = 't.workspace_id::text';
const connection = (column: string, purpose: string): SealedColumn => ({
  table: 'connections',
  column,
  key: ['id'],
  workspace: OWN_WORKSPACE,
  purpose,
  record: 't.id::text',
});

/** All of them; a test looks for columns named `_encrypted` that are missing here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'webhook_tokens',
    column: 'token_encrypted',
    key: ['token_hash'],
    workspace: '(select w.workspace_id::text from workflows w where w.id = t.workflow_id)',
    purpose: 'webhook_token',
    record: 't.workflow_id::text',
  },
  connection('access_token_encrypted', 'access_token'),
  connection('refresh_token_encrypted', 'refresh_token'),
  connection('receiver_token_encrypted', 'receiver_token'),
  {
    ...connection('secrets_encrypted', 'connection_login'),
    table: 'connection_logins',
  },
  {
    table: 'setting_secrets',
    column: 'value_encrypted',
    key: ['workspace_id', 'id'],
    workspace: OWN_WORKSPACE,
    purpose: 'setting_secret',
    record: 't.id',
  },
  {
    table: 'named_secrets',
    column: 'value_encrypted',
    key: ['workspace_id', 'name'],
    workspace: OWN_WORKSPACE,
    purpose: 'named_secret',
    record: 't.name',
  },
  {
    table: 'mails',
    column: 'content_encrypted',
    key: ['id'],
    workspace: `'installation'`,
    purpose: 'mail',
    record: 't.id::text',
  },
  {
    table: 'alert_destinations',
    column: 'secret_encrypted',
    key: ['id'],
    workspace: OWN_WORKSPACE,
    purpose: 'alert_webhook',
    record: 't.id::text',
  },
  {
    table: 'two_factor',
    column: 'secret_encrypted',
    key: ['user_id'],
    workspace: `'installation'`,
    purpose: 'two_factor',
    record: 't.user_id::text',
  },
];
