'use client';
import { LogOut, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { NameDialog } from '#components/ui/form/form-dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import { getBrowserZone } from '#components/ui/format.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface WorkspacesCardProps {
  workspaces: readonly { id: string; name: string; roleLabel: string }[];
  currentId: string;
  canCreate: boolean;
  create: NewWorkspaceDialogProps['create'];
  leave: (input: { id: string }) => Promise<ActionResult<void>>;
  switchTo: (id: string) => Promise<void>;
}

/** The user's workspaces: open, create, leave. */
export function WorkspacesCard({ workspaces, currentId, canCreate, ...actions }: WorkspacesCardProps) {
  const router = useRouter();
  const [, startTransition] = useTransition();
  const leave = async (id: string, name: string) => {
    const left = await actions.leave({ id });
    if (!left.ok) return showActionError(left.error);
    toast.success(`You left “${name}”`);
    if (id === currentId) router.push('/workflows');
  };
  return (
    <Card
      title="Workspaces"
      description="Each workspace has its own workflows, connections, members and keys."
      actions={
        canCreate && (
          <NewWorkspaceDialog
            create={actions.create}
            open={actions.switchTo}
            trigger={
              <Button>
                <Plus aria-hidden />
                New workspace
              </Button>
            }
          />
        )
      }
    >
      <ul className="-my-2 divide-y divide-line">
        {workspaces.map(({ id, name, roleLabel }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" title={name}>
                {name}
              </p>
              <p className="text-sm text-muted">{roleLabel}</p>
            </div>
            {id === currentId ? (
              <Badge tone="accent">Current</Badge>
            ) : (
              <Button
                size="sm"
                aria-label={`Open ${name}`}
                onClick={() => startTransition(() => actions.switchTo(id))}
              >
                Open
              </Button>
            )}
            <ConfirmDialog
              title={`Leave workspace “${name}”?`}
              description="You lose access immediately, and API keys that you created stop working. Everything else you created stays. You need an invitation to come back."
              confirmLabel="Leave workspace"
              danger
              onConfirm={() => leave(id, name)}
              trigger={
                <IconButton label={`Leave ${name}`} size="sm">
                  <LogOut aria-hidden />
                </IconButton>
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface NewWorkspaceDialogProps {
  trigger: ReactNode;
  create: (input: { name: string; zone?: string }) => Promise<ActionResult<{ id: string; name: string }>>;
  /** Opens the created workspace. */
  open: (id: string) => Promise<void>;
}

/** Asks for a name, creates the workspace and opens it. */
const NewWorkspaceDialog = ({ trigger, create, open }: NewWorkspaceDialogProps) => (
  <NameDialog
    trigger={trigger}
    title="Create workspace"
    description="It starts empty, and you become its owner."
    help="For example, the name of a client or team."
    maxLength={100}
    create={(name) => create({ name, zone: getBrowserZone() })}
    onCreated={({ id }) => open(id)}
  />
);
