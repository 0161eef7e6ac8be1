'use client';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { ConfirmDialog, Dialog } from '#components/ui/overlay/dialog.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import type { ShownTemplate } from './shown-template.ts';
import { TemplateStatus } from './templates-table.tsx';

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

/** The change of a template's category by the platform, made or announced; nothing without one. */
function CategoryChange({
  category,
  previous_category: before,
  requested_category: requested,
  correct_category: next,
}: Pick<ShownTemplate, 'category' | 'previous_category' | 'correct_category' | 'requested_category'>) {
  if (next !== null && next !== category)
    return (
      <Callout tone="warning">
        The platform will change the category from {codeTitle(category)} to {codeTitle(next)}.
      </Callout>
    );
  if (before === null || before === category) {
    if (requested === null || requested === category) return null;
    return (
      <Callout tone="warning">
        You requested {codeTitle(requested)}, the platform made it {codeTitle(category)}.
      </Callout>
    );
  }
  return (
    <Callout tone="warning">
      The platform changed the category from {codeTitle(before)} to {codeTitle(category)}.
    </Callout>
  );
}
