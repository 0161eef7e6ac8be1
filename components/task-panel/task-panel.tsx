'use client';
import { Copy, MoreHorizontal, Trash2, X } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { TaskIcon } from '#components/canvas/task-icon.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { focusTask } from '#components/editor/focus.ts';
import { Callout } from '#components/ui/callout.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { DropdownMenu, DropdownMenuItem } from '#components/ui/overlay/dropdown-menu.tsx';
import { listAvailableVariables } from '#lib/editor/canvas/available-variables.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import { listFormFields } from '#lib/editor/canvas/form-fields.ts';
import { sampleValues } from '#lib/editor/canvas/sample-scope.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { offerOf } from '#lib/tasks/offers.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { CommonSettings } from './common-settings.tsx';
import { ExitsSection } from './exits-section.tsx';
import { PanelContext, type PanelValue } from './panel-context.tsx';
import { useDoubleClickThrough, useHeld, usePressed } from './presses.ts';
import { SettingsForm } from './settings-form.tsx';
import { findTaskLook } from './task-types/looks.ts';
import { TriggerChoice } from './trigger-choice.tsx';
import { TrySection } from './try-section.tsx';

/** The panel of one task, beside the canvas; on phones it fills the screen. */
export function TaskPanel({ taskId }: { taskId: number }) {
  const editor = useEditor();
  const task = useEditorState((state) => findTask(state.history.present, taskId));
  const { touched, onBlur } = useTouchedFields();
  const { isPressed, onPointerDownCapture } = usePressed();
  const value = usePanelValue(taskId, task, touched, isPressed);
  const panel = useRef<HTMLElement>(null);
  useShownField(panel);
  const doubleClick = useDoubleClickThrough(taskId);
  if (!task || !value) return null;
  const close = () => {
    editor.closeTask();
    focusTask(taskId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      close();
    }
  };
  const isTrigger = isTriggerType(task.type);
  const Intro = findTaskLook(task.type)?.Intro;
  const own = value.problems.filter(({ field }) => field === undefined);
  return (
    <PanelContext value={value}>
      <aside
        ref={panel}
        aria-label={`Task "${task.name}"`}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onPointerDownCapture={onPointerDownCapture}
        {...doubleClick}
        className="flex size-full flex-col bg-surface"
      >
        <PanelHeader task={task} isTrigger={isTrigger} close={close} />
        <div className="relative flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-4 pt-4 pb-10">
          {own.map(({ message, severity }) => (
            <Callout
              key={message}
              tone={severity === 'error' ? 'danger' : 'warning'}
              title={severity === 'error' ? undefined : 'Warning'}
            >
              {message}
            </Callout>
          ))}
          {isTrigger && editor.canEdit && <TriggerChoice />}
          {Intro && <Intro />}
          <SettingsForm />
          <hr className="border-line" />
          <ExitsSection />
          {!isTrigger && (
            <>
              <hr className="border-line" />
              {editor.canEdit && (
                <>
                  <TrySection />
                  <hr className="border-line" />
                </>
              )}
              <CommonSettings />
            </>
          )}
          <p className="text-xs text-muted">
            Task {task.id}: its variables begin with <code className="font-mono">task_{task.id}_</code>
          </p>
        </div>
      </aside>
    </PanelContext>
  );
}

function PanelHeader({
  task,
  isTrigger,
  close,
}: {
  task: WorkflowTask;
  isTrigger: boolean;
  close: () => void;
}) {
  const editor = useEditor();
  const [name, setName] = useState<string>();
  const keep = () => {
    if (name !== undefined) editor.rename(task.id, name);
    setName(undefined);
  };
  return (
    <header className="flex items-center gap-2.5 border-b border-line px-4 py-3">
      <TaskIcon task={task} />
      <div className="min-w-0 flex-1">
        <input
          aria-label="Task name"
          value={name ?? task.name}
          maxLength={200}
          readOnly={!editor.canEdit}
          onChange={(event) => setName(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
          className="-ml-1 w-full truncate rounded-sm border border-transparent bg-transparent px-1 text-lg font-semibold hover:border-line focus:border-accent"
        />
        <p className="text-xs text-muted">{offerOf(task)?.summary}</p>
      </div>
      {editor.canEdit && !isTrigger && (
        <DropdownMenu
          trigger={
            <IconButton label="More actions" size="sm">
              <MoreHorizontal aria-hidden />
            </IconButton>
          }
        >
          <DropdownMenuItem icon={<Copy />} hint="Ctrl D" onSelect={() => editor.duplicateSelected()}>
            Duplicate
          </DropdownMenuItem>
          <DropdownMenuItem icon={<Trash2 />} danger onSelect={() => editor.removeSelected()}>
            Delete
          </DropdownMenuItem>
        </DropdownMenu>
      )}
      <IconButton label="Close" size="sm" onClick={close}>
        <X aria-hidden />
      </IconButton>
    </header>
  );
}

function usePanelValue(
  taskId: number,
  task: WorkflowTask | undefined,
  touched: ReadonlySet<string>,
  isPressed: boolean,
): PanelValue | undefined {
  const editor = useEditor();
  const document = useDeferredValue(useEditorState((state) => state.history.present));
  const sample = useEditorState((state) => state.sample);
  const tried = useEditorState((state) => state.triedOutputs);
  const zone = useEditorState((state) => state.time.zone);
  const problems = useEditorState((state) => state.problems);
  const isFresh = useEditorState((state) => state.freshTaskId === taskId);
  const found = useMemo(
    () => problems.filter((each) => each.taskId === taskId && !(isFresh && isTooEarly(each, touched))),
    [problems, taskId, isFresh, touched],
  );
  const own = useHeld(found, isPressed);
  const { values, groups, groupsAfter } = useMemo(() => {
    const values = sampleValues(document, taskId, sample, { triedOutputs: tried, zone });
    const list = (ofResults: boolean) => listAvailableVariables(document, taskId, values, ofResults);
    return { values, groups: list(false), groupsAfter: list(true) };
  }, [document, taskId, sample, tried, zone]);
  const schema = findTaskDefinition(task?.type ?? '')?.settings;
  const fields = useMemo(() => (schema ? listFormFields(schema) : []), [schema]);
  return useMemo(
    () => task && { task, fields, values, groups, groupsAfter, problems: own, canEdit: editor.canEdit },
    [task, fields, values, groups, groupsAfter, own, editor.canEdit],
  );
}

const FOCUSABLE = '[contenteditable="true"], input, button[role="combobox"], textarea, [role="switch"]';

/** Focuses the field of a problem, or the first one. */
function useShownField(panel: React.RefObject<HTMLElement | null>): void {
  const shown = useEditorState((state) => state.shownField);
  useEffect(() => {
    if (shown === undefined) return;
    if (shown === '') {
      const first = panel.current?.querySelector<HTMLElement>(`:is([data-field], header) :is(${FOCUSABLE})`);
      const field = panel.current?.querySelector<HTMLElement>(`[data-field] :is(${FOCUSABLE})`) ?? first;
      field?.focus();
      return;
    }
    const fields = [...(panel.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
    const field =
      fields.find((each) => each.dataset['field'] === shown) ??
      fields.find((each) => shown.startsWith(each.dataset['field'] ?? ' '));
    field?.scrollIntoView({ block: 'center' });
    field?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  }, [panel, shown]);
}

// Errors of a new task are hidden until the user has left the field.

/** The fields that the focus has left, by the paths of problems. */
function useTouchedFields() {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    const field = target.closest<HTMLElement>('[data-field]');
    const path = field?.dataset['field'];
    // An opening list takes the focus, but the field is still being edited.
    const isOpening = target.getAttribute('aria-expanded') === 'true';
    if (path === undefined || isOpening || field?.contains(relatedTarget)) return;
    setTouched((before) => (before.has(path) ? before : new Set([...before, path])));
  };
  return { touched, onBlur };
}

/** Whether a problem is an error of an untouched field. */
export function isTooEarly({ field, severity }: CanvasProblem, touched: ReadonlySet<string>): boolean {
  if (field === undefined || severity !== 'error') return false;
  return ![...touched].some((path) => isPartOf(field, path) || isPartOf(path, field));
}

const isPartOf = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);
