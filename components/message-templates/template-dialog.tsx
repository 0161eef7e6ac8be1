'use client';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ShownTemplate } from './shown-template.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import { CategoryChange } from './category-change.tsx';
import { TemplateStatus } from './template-status.tsx';

/** Other states cannot be edited on the platform. */
const EDITABLE: readonly string[] = ['APPROVED', 'REJECTED', 'PAUSED'];

export interface TemplateDialogProps {
  template: ShownTemplate;
  connection: { id: string; name: string; account: string | null };
  canEdit: boolean;
  remove: (input: { id: string; templateId: string; name: string }) => Promise<ActionResult<void>>;
  close: () => void;
  onRemoved: () => void;
}

/** One message template: its preview, the workflows that send it, and actions. */
export function TemplateDialog({
  template,
  connection,
  canEdit,
  remove,
  close,
  onRemoved,
}: TemplateDialogProps) {
  const { id: templateId, name, language, category, status, usedBy, uneditable } = template;
  const form = (mode: 'edit' | 'copy'): string =>
    `/message-templates/new?connection=${connection.id}&${mode}=${templateId}`;
  const confirm = async () => {
    const result = await remove({ id: connection.id, templateId, name });
    if (!result.ok) return showActionError(result.error);
    toast.success(`Deleted “${name}” (${language})`);
    onRemoved();
    close();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={<span className="break-all">{name}</span>}
      description={`${codeTitle(category)}, ${language}`}
      size="sm"
      footer={
        canEdit && (
          <>
            <ConfirmDialog
              title="Delete message template?"
              description={
                usedBy.length > 0
                  ? `${usedBy.map((each) => `“${each.name}”`).join(', ')} will fail from then on. The name cannot be used again for 30 days.`
                  : 'No workflow sends it. The name cannot be used again for 30 days.'
              }
              confirmLabel="Delete message template"
              danger
              onConfirm={confirm}
              trigger={
                <Button variant="ghost" icon={<Trash2 aria-hidden />}>
                  Delete
                </Button>
              }
            />
            {uneditable.length === 0 && (
              <Link href={form('copy')} className={buttonClass()}>
                <Copy aria-hidden /> Duplicate
              </Link>
            )}
            {EDITABLE.includes(status) && uneditable.length === 0 && (
              <Link href={form('edit')} className={buttonClass()}>
                <Pencil aria-hidden /> Edit
              </Link>
            )}
          </>
        )
      }
    >
      <div className="mb-4 flex flex-col items-start gap-3">
        <TemplateStatus status={status} />
        <CategoryChange {...template} />
        {uneditable.length > 0 && EDITABLE.includes(status) && (
          <p className="text-sm text-muted">It has {uneditable.join(' and ')}: edit it at the platform.</p>
        )}
      </div>
      <PhonePreview message={template.preview} senderName={connection.account ?? connection.name} />
      <section aria-label="Used by" className="mt-4">
        <h3 className="text-sm font-medium">Used by</h3>
        {usedBy.length === 0 ? (
          <p className="text-sm text-muted">No workflow sends it.</p>
        ) : (
          <ul className="text-sm">
            {usedBy.map((workflow) => (
              <li key={workflow.id}>
                <Link href={`/workflows/${workflow.id}`} className="hover:underline">
                  {workflow.name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
    </Dialog>
  );
}
