import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { findHelper, HELPERS } from '#lib/variables/helpers.ts';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import {
  isPartOfStatus,
  MATCH,
  rankVariables,
  type RankedVariable,
} from '#lib/editor/canvas/rank-variables.ts';
import { shortValue, withoutRepeats } from '#lib/editor/canvas/variable-tree.ts';
import { rememberVariable } from './recent-variables.ts';

const MAX_OPTIONS = 100;

/** Completes variables and helpers between `{{` and `}}`, in the order of the picker. */
export function completeVariables(
  context: CompletionContext,
  groups: readonly VariableGroup[],
): CompletionResult | null {
  const tag = context.matchBefore(/\{\{[^{}]*$/);
  if (!tag) return null;
  const word = /[^\s{}(#/~]*$/.exec(tag.text)?.[0] ?? '';
  const isFirst = /^\{\{[^\s(#/]*$/.test(tag.text);
  const found = rankVariables(groups, word).filter(
    (each) => each.match < MATCH.value && !isPartOfStatus(each),
  );
  const variables = withoutRepeats(found).slice(0, MAX_OPTIONS).map(toOption);
  const helpers = isFirst ? helperOptions(word.toLowerCase()) : [];
  const options = [...variables, ...helpers];
  if (options.length === 0) return null;
  return {
    from: context.pos - word.length,
    options,
    // Keeps the picker's order instead of CodeMirror's: every character queries again.
    filter: false,
    update: (_last, _from, _to, next) => completeVariables(next, groups),
  };
}

const toOption = ({ group, variable }: RankedVariable): Completion => ({
  label: variable.path,
  displayLabel: `${group.title} › ${variable.label}`,
  detail: shortValue(variable.value),
  apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
    rememberVariable(variable.path);
    insertClosed(view, variable.path, from, to);
  },
});

const helperOptions = (word: string): Completion[] =>
  HELPERS.filter(({ name }) => name.startsWith(word)).map(({ name, signature, description }) => ({
    label: name,
    detail: signature,
    info: description,
    apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
      insertHelper(view, name, { from, to }),
  }));

/** Writes a helper inside of a tag, with the cursor where its value goes. */
function insertHelper(view: EditorView, name: string, { from, to }: { from: number; to: number }): void {
  const added = findHelper(name)?.added;
  const isLast = /^\s*(?:\}\}|$)/.test(view.state.sliceDoc(to, to + 60));
  const insert = `${name} ${added === undefined || !isLast ? '' : ` ${added}`}`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + name.length + 1 },
    userEvent: 'input.complete',
  });
}

/** Adds closing braces unless they exist. */
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
