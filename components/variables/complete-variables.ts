import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { HELPERS } from '#lib/variables/helpers.ts';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { shortValue } from '#lib/editor/canvas/short-value.ts';

/** Offers variables and helpers between `{{` and `}}`. */
export function completeVariables(
  context: CompletionContext,
  groups: readonly VariableGroup[],
): CompletionResult | null {
  const tag = context.matchBefore(/\{\{[^{}]*$/);
  if (!tag) return null;
  const word = /[^\s{}(#/~]*$/.exec(tag.text)?.[0] ?? '';
  const isFirst = /^\{\{[^\s(#/]*$/.test(tag.text);
  return {
    from: context.pos - word.length,
    options: [...inOrder(groups.flatMap(toOptions)), ...(isFirst ? helperOptions() : [])],
    validFor: /^[^\s{}()]*$/,
  };
}

const toOptions = ({ title, variables }: VariableGroup): Completion[] =>
  variables.map(({ path, label, value }) => ({
    label: path,
    displayLabel: `${title} › ${label}`,
    detail: shortValue(value),
    apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
      insertClosed(view, path, from, to),
  }));

/** As the picker has them, nearest task first; CodeMirror takes 99 as the highest. */
const inOrder = (options: Completion[]): Completion[] =>
  options.map((option, index) => ({ ...option, boost: Math.max(-98, 99 - index) }));

const helperOptions = (): Completion[] =>
  HELPERS.map(({ name, signature, description }) => ({
    label: name,
    detail: signature,
    info: description,
    boost: -99,
    apply: `${name} `,
  }));

/** Closes the braces unless they are. */
function insertClosed(view: EditorView, path: string, from: number, to: number): void {
  const after = view.state.sliceDoc(to, to + 60);
  const isClosed = /^[^{}]*\}\}/.test(after);
  const text = isClosed ? path : `${path}}}`;
  const skip = isClosed && after.startsWith('}}') ? 2 : 0;
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length + skip },
    userEvent: 'input.complete',
  });
}
