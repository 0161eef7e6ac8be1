'use client';
import { autocompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, placeholder as placeholderText } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { styleNonce } from '#components/ui/browser-state.ts';
import { useFieldProps } from '#components/ui/form/field.tsx';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { findHelper } from '#lib/variables/helpers.ts';
import { completeVariables } from './complete-variables.ts';
import { codeTheme, editorTheme } from './editor-theme.ts';
import { setKnown, textMarks } from './text-marks.ts';
import { findTags } from './variable-tags.ts';

export interface VariableInputHandle {
  /** Inserts a variable at the cursor. */
  insert: (path: string) => void;
  /** Inserts a helper, and offers its values. */
  insertHelper: (name: string) => void;
}

export interface VariableInputProps {
  value: string;
  onChange: (value: string) => void;
  /** Gets the whole text after something was pasted. */
  onPaste?: ((text: string) => void) | undefined;
  /** For screen readers. */
  label: string;
  isMultiline?: boolean;
  isCode?: boolean;
  isReadOnly?: boolean;
  placeholder?: string | undefined;
  groups: readonly VariableGroup[];
  /** Unknown names, with the reason. */
  unknown: ReadonlyMap<string, string>;
  keepPlaceholders?: boolean;
  /** The value of a path in the sample, as text; undefined without one. */
  valueOf?: (path: string) => string | undefined;
  ref?: Ref<VariableInputHandle>;
}

/** A text input with chips for variables and completion on `{{`. */
export function VariableInput(props: VariableInputProps) {
  const { value, groups, unknown, keepPlaceholders = false } = props;
  const field = useFieldProps();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  const attributes = useRef(new Compartment());
  latest.current = props;

  useEffect(() => {
    if (!parent.current) return;
    const made = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: latest.current.value,
        // Without an earlier focus, text is inserted at the end.
        selection: { anchor: latest.current.value.length },
        extensions: [extensionsOf(latest.current, latest), attributes.current.of([])],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  const { id, 'aria-describedby': describedBy, 'aria-invalid': invalid } = field;
  const { label } = props;
  useEffect(() => {
    const named: Record<string, string> = { 'aria-label': label };
    if (id !== undefined) named['id'] = id;
    if (describedBy !== undefined) named['aria-describedby'] = describedBy;
    if (invalid) named['aria-invalid'] = 'true';
    view.current?.dispatch({
      effects: attributes.current.reconfigure(EditorView.contentAttributes.of(named)),
    });
  }, [id, describedBy, invalid, label]);

  useEffect(() => {
    const current = view.current?.state.doc.toString();
    if (current === undefined || current === value) return;
    view.current?.dispatch({ changes: { from: 0, to: current.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const titles = new Map(groups.map(({ taskId, title }) => [taskId, title]));
    view.current?.dispatch({ effects: setKnown.of({ titles, unknown, keepPlaceholders }) });
  }, [groups, unknown, keepPlaceholders]);

  useImperativeHandle(props.ref, () => ({
    insert: (path) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(`{{${path}}}`), { userEvent: 'input.complete' });
      editor.focus();
    },
    insertHelper: (name) => {
      const editor = view.current;
      if (!editor) return;
      const { from, to } = editor.state.selection.main;
      const added = findHelper(name)?.added;
      const insert = `{{${name} ${added === undefined ? '' : ` ${added}`}}}`;
      editor.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + name.length + 3 },
        userEvent: 'input.complete',
      });
      editor.focus();
      startCompletion(editor);
    },
  }));

  return <div ref={parent} data-variable-input />;
}

function extensionsOf(
  { isMultiline, isCode, isReadOnly, placeholder }: VariableInputProps,
  latest: { current: VariableInputProps },
): Extension {
  const oneLine: Extension = isMultiline
    ? []
    : [
        keymap.of([{ key: 'Enter', run: () => true }]),
        EditorView.clipboardInputFilter.of((text) => text.replace(/\s*\n\s*/g, ' ')),
        EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction)),
      ];
  return [
    keymap.of(completionKeymap),
    oneLine,
    history(),
    keymap.of([...historyKeymap, ...defaultKeymap]),
    EditorView.cspNonce.of(styleNonce() ?? ''),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly ?? false),
    EditorView.editable.of(!isReadOnly),
    placeholder === undefined ? [] : placeholderText(placeholder),
    autocompletion({
      override: [(context) => completeVariables(context, latest.current.groups)],
      icons: false,
      activateOnTyping: true,
      // Fast typing accepts the first option.
      activateOnTypingDelay: 20,
      interactionDelay: 0,
    }),
    textMarks,
    chipHover((path) => {
      const { unknown, valueOf } = latest.current;
      const isWrong = unknown.has(path.split(/[.[]/)[0] ?? path);
      return valueOf && !isWrong ? { path, value: valueOf(path) } : undefined;
    }),
    editorTheme,
    isCode ? codeTheme : [],
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const text = update.state.doc.toString();
      if (text !== latest.current.value) latest.current.onChange(text);
      if (update.transactions.some((each) => each.isUserEvent('input.paste'))) latest.current.onPaste?.(text);
    }),
  ];
}

const DELAY_MS = 200;

export interface HoveredVariable {
  path: string;
  /** Its value in the sample; undefined without one. */
  value: string | undefined;
}

/**
 * Shows a variable's value when hovering its chip.
 * @param valueOf the value of a path; undefined where the chip already shows a problem
 */
const chipHover = (valueOf: (path: string) => HoveredVariable | undefined): Extension =>
  hoverTooltip(
    (view, position) => {
      const tag = findTags(view.state.doc.toString()).find(
        ({ from, to }) => from <= position && position < to,
      );
      const found = tag?.path === undefined ? undefined : valueOf(tag.path);
      if (!tag || !found) return null;
      return { pos: tag.from, end: tag.to, above: true, create: () => ({ dom: toElement(found) }) };
    },
    { hoverTime: DELAY_MS },
  );

function toElement({ path, value }: HoveredVariable): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-variable-value';
  const name = document.createElement('code');
  name.textContent = `{{${path}}}`;
  const shown = document.createElement('p');
  shown.textContent = value ?? 'No value in this sample';
  if (value === undefined) shown.className = 'cm-no-value';
  element.append(name, shown);
  return element;
}
