import { KeyRound, Lock } from 'lucide-react';
import Link from 'next/link';
import { Fragment } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { writeSecretVariable } from '#lib/secrets/named-secret.ts';
import type { Secret } from '#lib/workflows/secrets/schema.ts';
import { DeleteSecretDialog, SecretDialog, type SecretInput } from './secret-dialog.tsx';

export interface SecretActions {
  add: (input: SecretInput) => Promise<ActionResult<void>>;
  replace: (input: SecretInput) => Promise<ActionResult<void>>;
  remove: (input: { name: string }) => Promise<ActionResult<void>>;
}

export interface SecretsCardProps {
  /** Viewers only see their names. */
  secrets: readonly { name: string; details?: Omit<Secret, 'name'> }[];
  actions?: SecretActions;
}

/** The secrets of the workspace: names, who set them and which workflows use them, never their values. */
export function SecretsCard({ secrets, actions }: SecretsCardProps) {
  const add = actions && (
    <SecretDialog
      title="Add secret"
      confirmLabel="Add secret"
      save={actions.add}
      trigger={<Button variant="primary">Add secret</Button>}
    />
  );
  if (secrets.length === 0)
    return (
      <EmptyState icon={<Lock />} title="No secrets yet" actions={add}>
        <p>
          API keys and tokens that HTTP requests send appear here. Nobody sees a value again once it is saved.
        </p>
        <p className="mt-2">
          <HelpLink page="secrets">How secrets work</HelpLink>
        </p>
      </EmptyState>
    );
  return (
    <Card
      title="Secrets"
      description="HTTP requests send them. Values are stored encrypted and never shown."
      actions={add}
    >
      <ul className="-my-2 divide-y divide-line">
        {secrets.map(({ name, details }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
            <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-mono text-sm font-medium break-all">{writeSecretVariable(name)}</p>
              {details && (
                <p className="text-sm text-muted">
                  Set <RelativeTime at={details.set_at} /> by {details.set_by} ·{' '}
                  <WorkflowLinks workflows={details.used_by} />
                </p>
              )}
              {details && details.allowed_hosts.length > 0 && (
                <p className="text-sm break-words text-muted">
                  Sent only to {details.allowed_hosts.join(', ')}
                </p>
              )}
            </div>
            {actions && (
              <div className="flex items-center gap-1">
                <SecretDialog
                  title={`Replace the value of ${name}`}
                  confirmLabel="Replace value"
                  name={name}
                  allowedHosts={details?.allowed_hosts ?? []}
                  save={actions.replace}
                  trigger={
                    <Button size="sm" aria-label={`Replace the value of ${name}`}>
                      Replace value
                    </Button>
                  }
                />
                <DeleteSecretDialog name={name} remove={actions.remove} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const MAX_SHOWN = 3;

/** "Used by 2 workflows: Orders, Returns". */
function WorkflowLinks({ workflows }: { workflows: readonly { id: string; name: string }[] }) {
  if (workflows.length === 0) return 'not used';
  const others = workflows.length - MAX_SHOWN;
  return (
    <>
      used by {workflows.length === 1 ? '1 workflow' : `${workflows.length} workflows`}:{' '}
      {workflows.slice(0, MAX_SHOWN).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={`/workflows/${id}`} className="underline underline-offset-2 hover:text-ink">
            {name}
          </Link>
        </Fragment>
      ))}
      {others > 0 && ` and ${others} more`}
    </>
  );
}
