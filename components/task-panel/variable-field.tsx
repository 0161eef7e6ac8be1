'use client';
import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { VariableInput, type VariableInputHandle } from '#components/variables/variable-input.tsx';
import { VariablePicker } from '#components/variables/variable-picker.tsx';
import { findTags } from '#components/variables/variable-tags.ts';
import { secretGroup, type VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { renderPreview, type SampleValues } from '#lib/editor/canvas/sample-scope.ts';
import { readsResults } from '#lib/tasks/marked-fields.ts';
import { allowsSecrets, withSecretNames } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { Escape } from '#lib/variables/escape.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { isStatusField, parseTaskName, SECRET_NAME } from '#lib/variables/task-names.ts';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import { SampleLine } from './samples.tsx';

export interface VariableFieldProps {
  /** As in problems: `settings.url`. */
  path: string;
  label: string;
  help?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Gets the whole text after something was pasted. */
  onPaste?: ((text: string) => void) | undefined;
  placeholder?: string | undefined;
  isMultiline?: boolean;
  isCode?: boolean;
  keepPlaceholders?: boolean;
  /** How values are escaped where the text goes. */
  escape?: Escape;
  isRequired?: boolean;
  /** At the end of the label's line. */
  aside?: ReactNode;
  hideLabel?: boolean;
}

/** A variable text with its label, the variable picker, its problem and its preview. */
export function VariableField(props: VariableFieldProps) {
  const { path, label, help, value, escape = 'none', keepPlaceholders = false } = props;
  const { canEdit } = usePanel();
  const { groups, scope } = useVariables(path);
  const input = useRef<VariableInputHandle>(null);
  const words = useFieldWords(path, help);
  const unknown = useUnknownNames(path, value);
  return (
    <div data-field={path}>
      <Field
        label={label}
        {...words}
        hideLabel={props.hideLabel ?? false}
        aside={
          <span className="flex items-center gap-1">
            {props.aside}
            {canEdit && (
              <VariablePicker
                groups={groups}
                sample={<SampleLine />}
                onPick={(picked) =>
                  'path' in picked
                    ? input.current?.insert(picked.path)
                    : input.current?.insertHelper(picked.helper)
                }
              />
            )}
          </span>
        }
      >
        <VariableInput
          ref={input}
          label={label}
          value={value}
          onChange={props.onChange}
          onPaste={props.onPaste}
          isMultiline={props.isMultiline ?? false}
          isCode={props.isCode ?? false}
          isReadOnly={!canEdit}
          placeholder={props.placeholder}
          groups={groups}
          unknown={unknown}
          keepPlaceholders={keepPlaceholders}
          valueOf={(variable) => {
            const preview = renderPreview(`{{${variable}}}`, scope);
            return preview.kind === 'text' ? preview.text : undefined;
          }}
        />
      </Field>
      <Preview text={value} scope={scope} escape={escape} keepPlaceholders={keepPlaceholders} />
    </div>
  );
}

/** Unknown variables, with the reason: from the checks, and those missing in the sample. */
function useUnknownNames(path: string, text: string): ReadonlyMap<string, string> {
  const { task, problems, values } = usePanel();
  const hasSample = useEditorState(({ sample }) => sample !== undefined);
  // Checking whether something exists is not an error.
  const definition = findTaskDefinition(task.type);
  const isAsking = definition?.asksVariables === true || (definition && readsResults(definition, path));
  return useMemo(() => {
    const unknown = new Map<string, string>();
    for (const { path: tagPath, name } of hasSample && !isAsking ? findTags(text) : []) {
      if (tagPath === undefined || name === undefined || !isKnownSource(name, values)) continue;
      if (values.scope.resolve(name) === undefined) unknown.set(name, `{{${tagPath}}} is not in the sample.`);
    }
    for (const { field, variable, message } of problems)
      if (field === path && variable !== undefined) unknown.set(variable, message);
    return unknown;
  }, [path, text, problems, values, hasSample, isAsking]);
}

/** Whether the sample has the variable's task; names without a task are in the sample's body. */
function isKnownSource(name: string, { viewOf }: SampleValues): boolean {
  const parsed = parseTaskName(name);
  if (!parsed) return name !== SECRET_NAME && !name.startsWith('$') && !/^\d/.test(name);
  const { taskId, field } = parsed;
  return field !== undefined && !isStatusField(field) && viewOf(taskId) !== undefined;
}

/** A variable text rendered with the sample; nothing for a text without variables. */
function Preview(props: { text: string; scope: VariableScope; escape: Escape; keepPlaceholders: boolean }) {
  const { scope, escape, keepPlaceholders } = props;
  const text = useDeferredValue(props.text);
  const { canEdit } = usePanel();
  const hasSample = useEditorState(({ sample }) => sample !== undefined);
  const preview = useMemo(
    () => (text.includes('{{') ? renderPreview(text, scope, { escape, keepPlaceholders }) : undefined),
    [text, scope, escape, keepPlaceholders],
  );
  // Viewers see no events.
  if (!preview || preview.kind === 'problem' || (!canEdit && !hasSample)) return null;
  return (
    <p data-preview className="mt-1 flex min-w-0 gap-1.5 text-sm text-muted">
      <span aria-hidden>→</span>
      <span className="sr-only">Preview with the sample: </span>
      {preview.kind === 'text' ? (
        <span className="line-clamp-4 min-w-0 break-words whitespace-pre-wrap text-ink">{preview.text}</span>
      ) : (
        <span className="italic">
          {hasSample ? 'empty with this sample' : 'empty until there is an event'}
        </span>
      )}
    </p>
  );
}

/** The variables for the field at a path, and where allowed the secrets of the workspace. */
function useVariables(path: string): Readonly<{ groups: readonly VariableGroup[]; scope: VariableScope }> {
  const { task, groups: before, groupsAfter, values } = usePanel();
  const secrets = useEditorState((state) => state.secrets);
  return useMemo(() => {
    const { scope } = values;
    const definition = findTaskDefinition(task.type);
    const groups = definition && readsResults(definition, path) ? groupsAfter : before;
    const names = secrets.map(({ name }) => name);
    if (names.length === 0 || !definition || !allowsSecrets(definition, path)) return { groups, scope };
    return { groups: [secretGroup(names), ...groups], scope: withSecretNames(scope, names) };
  }, [task.type, path, before, groupsAfter, values, secrets]);
}
