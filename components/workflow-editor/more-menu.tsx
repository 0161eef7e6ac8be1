'use client';
import {
  BellRing,
  CopyPlus,
  Download,
  Gauge,
  History,
  ImageDown,
  Inbox,
  Keyboard,
  LayoutGrid,
  ListChecks,
  ListPlus,
  MoreHorizontal,
  Pause,
  Search,
} from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { Editor } from '#components/editor/editor.ts';
import type { EditorDialog } from '#components/editor/editor-state.ts';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuSeparator,
} from '#components/ui/overlay/dropdown-menu.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { later } from '#components/ui/later.ts';
import { toast } from '#components/ui/overlay/toaster.tsx';

const loadPicture = later(() => import('./download-picture.ts'));
const loadDownload = later(() => import('#components/workflows/download-text.ts'));

function savePicture(editor: Editor): void {
  loadPicture().then(
    ({ downloadPicture }) => downloadPicture(editor.document),
    (error: Error) => editor.onRefusal(error.message),
  );
}

/** Actions for the whole workflow, and links to its runs and events. */
export function MoreMenu() {
  const { editor } = useEditorContext();
  const isPublished = useEditorState((state) => state.live.publishedVersion !== null);
  const { duplicate, exportJson } = useWholeWorkflow();
  const open = (dialog: EditorDialog) => () => editor.store.set({ dialog });
  return (
    <DropdownMenu
      trigger={
        <IconButton label="More" size="sm">
          <MoreHorizontal aria-hidden />
        </IconButton>
      }
    >
      <DropdownMenuItem asChild>
        <Link href={`/runs?workflow=${editor.workflowId}`}>
          <ListChecks aria-hidden />
          Runs of this workflow
        </Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link href={`/events?workflow=${editor.workflowId}`}>
          <Inbox aria-hidden />
          Events of this workflow
        </Link>
      </DropdownMenuItem>
      {isPublished && (
        <DropdownMenuItem asChild>
          <Link href={`/workflows/${editor.workflowId}/lists`}>
            <ListPlus aria-hidden />
            {editor.canEdit ? 'Send to a list…' : 'Lists of this workflow'}
          </Link>
        </DropdownMenuItem>
      )}
      <DropdownMenuItem asChild>
        <Link href={`/settings/alerts/${editor.workflowId}`}>
          <BellRing aria-hidden />
          Alerts of this workflow
        </Link>
      </DropdownMenuItem>
      <DropdownMenuItem icon={<History />} onSelect={open('history')}>
        Versions
      </DropdownMenuItem>
      {editor.canEdit && (
        <DropdownMenuItem icon={<Gauge />} onSelect={open('run_limit')}>
          Limit runs
        </DropdownMenuItem>
      )}
      <DropdownMenuSeparator />
      <DropdownMenuItem icon={<Search />} hint="Ctrl F" onSelect={open('find')}>
        Find on the canvas
      </DropdownMenuItem>
      {editor.canEdit && (
        <DropdownMenuItem icon={<LayoutGrid />} hint="L" onSelect={() => void editor.arrange()}>
          Arrange tasks
        </DropdownMenuItem>
      )}
      <DropdownMenuItem icon={<Keyboard />} hint="?" onSelect={open('shortcuts')}>
        Keyboard shortcuts
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      {editor.canEdit && (
        <DropdownMenuItem icon={<CopyPlus />} onSelect={() => void duplicate()}>
          Duplicate
        </DropdownMenuItem>
      )}
      <DropdownMenuItem icon={<Download />} onSelect={() => void exportJson()}>
        Export as JSON
      </DropdownMenuItem>
      <DropdownMenuItem icon={<ImageDown />} onSelect={() => savePicture(editor)}>
        Download picture
      </DropdownMenuItem>
      {editor.canEdit && isPublished && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem icon={<Pause />} danger onSelect={open('unpublish')}>
            Unpublish
          </DropdownMenuItem>
        </>
      )}
    </DropdownMenu>
  );
}

/** Copies the workflow on the screen: it is saved first. */
function useWholeWorkflow() {
  const { editor, actions, flush } = useEditorContext();
  const router = useRouter();
  const attempt = (work: () => Promise<string | undefined>) => async () => {
    try {
      if (editor.canEdit && !(await flush()))
        return void toast.error('The draft could not be saved. Save it first, then try again.');
      const problem = await work();
      if (problem !== undefined) toast.error(problem);
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    }
  };
  const duplicate = attempt(async () => {
    const copy = await actions.duplicate({ id: editor.workflowId });
    if (!copy.ok) return copy.error.message;
    toast.success(`Created “${copy.data.name}”`);
    router.push(`/workflows/${copy.data.id}`);
    return undefined;
  });
  const exportJson = attempt(async () => {
    const file = await actions.exportJson({ id: editor.workflowId });
    if (!file.ok) return file.error.message;
    const { downloadText } = await loadDownload();
    downloadText(file.data.name, 'json', file.data.json);
    return undefined;
  });
  return { duplicate, exportJson };
}
