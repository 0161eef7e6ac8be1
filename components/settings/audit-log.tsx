'use client';
import { useState, useTransition } from 'react';
import { LoadMore } from '#components/ui/load-more.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import type { AuditEntry } from '#lib/identity/audit/list-audit-entries.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

interface AuditPage {
  data: AuditEntry[];
  next_cursor: string | null;
}

export interface AuditLogProps {
  first: AuditPage;
  loadMore: (input: { cursor: string }) => Promise<ActionResult<AuditPage>>;
}

/** Who did what when. */
export function AuditLog({ first, loadMore }: AuditLogProps) {
  const [entries, setEntries] = useState(first.data);
  const [cursor, setCursor] = useState(first.next_cursor);
  const [busy, startTransition] = useTransition();
  const more = () =>
    startTransition(async () => {
      if (cursor === null) return;
      const page = await loadMore({ cursor });
      if (!page.ok) return showActionError(page.error);
      setEntries((before) => [...before, ...page.data.data]);
      setCursor(page.data.next_cursor);
    });
  if (entries.length === 0) {
    return <EmptyState title="No entries yet">Shows who changed what, and when.</EmptyState>;
  }
  return (
    <>
      <Table label="Audit log">
        <thead>
          <tr>
            <Th>When</Th>
            <Th className="max-sm:hidden">Who</Th>
            <Th>What</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, actorName, action, targetName }) => (
            <Tr key={id}>
              <Td className="align-top text-muted">
                <RelativeTime at={at} />
              </Td>
              <Td className="max-w-48 align-top max-sm:hidden">{actorName}</Td>
              <Td className="w-full wrap-anywhere">
                {describeAction(action)}
                {targetName && <span className="text-muted"> · {targetName}</span>}
                <div className="text-sm text-muted sm:hidden">{actorName}</div>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={cursor !== null}
        loading={busy}
        onLoadMore={more}
        shown={`${entries.length} entries`}
      />
    </>
  );
}

/** Exceptions from the general rule: actions whose last part is more than a verb. */
const SENTENCES: Readonly<Record<string, string>> = {
  'alert_settings.changed': 'Changed alert settings',
  'break_glass.signed_in': 'Signed in as a break-glass owner',
  'connection.number_registered': 'Registered a phone number',
  'connection.workflow_added': 'Connected a workflow',
  'connection.workflow_removed': 'Disconnected a workflow',
  'customer.consent_changed': 'Changed a customer’s consent',
  'customer.attributes_changed': 'Changed a customer’s attributes',
  'customer.erased': 'Erased a customer',
  'customer.exported': 'Exported the data of a customer',
  'customer.held': 'Put a customer on hold',
  'customer.released': 'Released a customer from a hold',
  'events.exported': 'Exported events',
  'full_text.disabled': 'Switched full-text search off',
  'full_text.enabled': 'Switched full-text search on',
  'member.joined': 'Joined the workspace',
  'member.left': 'Left the workspace',
  'member.role_changed': 'Changed a member’s role',
  'messages.exported': 'Exported messages',
  'password.changed': 'Changed the password',
  'run.marked_done': 'Marked a task as done',
  'run.resent': 'Sent again in a run',
  'runs.exported': 'Exported runs',
  'session.others_ended': 'Signed out of other browsers',
  'session.ended': 'Signed out of a browser',
  'sign_in_policy.changed': 'Changed how people sign in',
  'password.reset': 'Reset the password',
  'two_factor.disabled': 'Turned off two-factor authentication',
  'two_factor.enabled': 'Turned on two-factor authentication',
  'two_factor.recovery_code_used': 'Used a recovery code',
  'two_factor.recovery_codes_created': 'Created recovery codes',
  'two_factor.removed': 'Removed two-factor authentication',
  'workflow.alerts_changed': 'Changed alerts of a workflow',
  'workflow.draft_replaced': 'Replaced a draft',
  'workflow.draft_run': 'Ran a draft',
  'workflow.held': 'Paused a workflow, and held its webhooks',
  'workflow.started': 'Started a workflow',
  'workflow.runs_limited': 'Changed how many runs a workflow executes at once',
  'workflow.urls_rotated': 'Rotated the URLs of a workflow',
  'workspace.claimed': 'Created the first account',
  'workspace.consent_changed': 'Changed the words that stop messages',
  'workspace.group_roles_changed': 'Changed the roles of groups',
  'workspace.numbers_masked': 'Masked phone numbers',
  'workspace.numbers_shown': 'Showed phone numbers',
  'workspace.time_changed': 'Changed time zone and hours',
  'workspace.prices_changed': 'Changed the prices of messages',
  'workspace.renamed': 'Renamed the workspace',
  'workspace.retention_changed': 'Changed the retention',
  'workspace.two_factor_optional': 'Made two-factor authentication optional',
  'workspace.two_factor_required': 'Required two-factor authentication',
  'workspace.webhook_rate_changed': 'Changed the webhook rate limit',
  'workspace.runs_limited': 'Changed how many runs the workspace executes at once',
};

/** `workflow.published` → "Published a workflow": derived from the action's name. */
export function describeAction(action: string): string {
  const sentence = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (sentence !== undefined) return sentence;
  const [noun = '', verb = ''] = action.split('.').map(toWords);
  if (verb === '' || verb.includes(' ')) return capitalize(`${noun} ${verb}`.trim());
  return `${capitalize(verb)} ${/^[aeio]|^API/.test(noun) ? 'an' : 'a'} ${noun}`;
}

const toWords = (part: string): string => part.replace(/_+/g, ' ').replace(/\bapi\b/g, 'API');

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
