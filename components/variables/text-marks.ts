// Decorations of a variable text: chips for variables, underlines for invalid and unknown ones.
import { type Extension, type Range, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { VariableSyntaxError } from '#lib/variables/errors.ts';
import { findPlaceholders, MASK } from '#lib/secrets/placeholder-format.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { splitTaskPath } from '#lib/variables/task-names.ts';
import { findTags } from './variable-tags.ts';

export interface KnownVariables {
  /** Names of tasks by id, which chips show instead of the id. */
  titles: ReadonlyMap<number | undefined, string>;
  /** Unknown names, with the reason. */
  unknown: ReadonlyMap<string, string>;
  keepPlaceholders: boolean;
}

export const setKnown = StateEffect.define<KnownVariables>();

const known = StateField.define<KnownVariables>({
  create: () => ({ titles: new Map(), unknown: new Map(), keepPlaceholders: false }),
  update: (value, transaction) =>
    transaction.effects.reduce((found, effect) => (effect.is(setKnown) ? effect.value : found), value),
});

class Chip extends WidgetType {
  readonly label: string;
  readonly path: string;
  /** Why it is unknown; undefined when it may exist. */
  readonly reason: string | undefined;

  constructor(label: string, path: string, reason: string | undefined) {
    super();
    this.label = label;
    this.path = path;
    this.reason = reason;
  }

  override eq(other: Chip): boolean {
    return other.label === this.label && other.path === this.path && other.reason === this.reason;
  }

  toDOM(): HTMLElement {
    const chip = document.createElement('span');
    chip.className = this.reason === undefined ? 'cm-variable' : 'cm-variable cm-unknown';
    chip.textContent = this.label;
    chip.dataset['variable'] = this.path;
    if (this.reason === undefined) return chip;
    chip.title = this.reason;
    chip.append(spoken(` (${this.reason})`));
    return chip;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** Represents a hidden secret: deleted as one character, and typing replaces it. */
class HiddenSecret extends WidgetType {
  readonly isStored: boolean;

  constructor(isStored: boolean) {
    super();
    this.isStored = isStored;
  }

  override eq(other: HiddenSecret): boolean {
    return other.isStored === this.isStored;
  }

  toDOM(): HTMLElement {
    const hidden = document.createElement('span');
    hidden.className = this.isStored ? 'cm-secret' : 'cm-secret cm-unknown';
    hidden.textContent = MASK;
    hidden.title = this.isStored
      ? 'Stored secret. Delete it to enter another one.'
      : 'Enter the secret here.';
    return hidden;
  }
}

/** For screen readers only. */
function spoken(text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'sr-only';
  element.textContent = text;
  return element;
}

const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = draw(view);
    }

    update(update: ViewUpdate): void {
      const isNew = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setKnown)));
      if (update.docChanged || update.selectionSet || update.focusChanged || isNew)
        this.decorations = draw(update.view);
    }
  },
  {
    decorations: (plugin) => plugin.decorations,
    eventHandlers: { mousedown: openChip },
  },
);

/** A click on a chip opens its text. */
function openChip(event: MouseEvent, view: EditorView): boolean {
  const chip = event.target instanceof HTMLElement ? event.target.closest('.cm-variable') : null;
  if (!chip) return false;
  event.preventDefault();
  view.dispatch({ selection: { anchor: view.posAtDOM(chip) + 2 } });
  view.focus();
  return true;
}

/** The cursor skips a secret, and deleting removes it completely. */
const wholeSecrets = EditorView.atomicRanges.of(({ state }) =>
  Decoration.set(secretRanges(state.doc.toString())),
);

export const textMarks: Extension = [known, marks, wholeSecrets];

const secretRanges = (text: string): Range<Decoration>[] =>
  findPlaceholders(text).map(({ from, to, id }) =>
    Decoration.replace({ widget: new HiddenSecret(id !== undefined) }).range(from, to),
  );

function draw(view: EditorView): DecorationSet {
  const text = view.state.doc.toString();
  const { titles, unknown, keepPlaceholders } = view.state.field(known);
  const ranges: Range<Decoration>[] = [];
  for (const { from, to, path, name } of findTags(text)) {
    const reason = name === undefined ? undefined : unknown.get(name);
    const { head } = view.state.selection.main;
    const isEdited = view.hasFocus && head > from && head < to;
    if (path !== undefined && !isEdited) {
      const label = chipLabel(path, titles);
      ranges.push(Decoration.replace({ widget: new Chip(label, path, reason) }).range(from, to));
    } else {
      const look =
        reason === undefined
          ? { class: 'cm-tag' }
          : { class: 'cm-tag cm-unknown', attributes: { title: reason } };
      ranges.push(Decoration.mark(look).range(from, to));
    }
  }
  ranges.push(...secretRanges(text));
  const wrong = findWrong(text, keepPlaceholders);
  if (wrong) ranges.push(Decoration.mark({ class: 'cm-wrong' }).range(wrong.from, wrong.to));
  return Decoration.set(ranges, true);
}

/** `task_1_order_id` as "Orders › order_id"; a path of an unknown task unchanged. */
function chipLabel(path: string, titles: KnownVariables['titles']): string {
  const parsed = splitTaskPath(path);
  const title = parsed && titles.get(parsed.taskId);
  return title === undefined ? path : `${title} › ${parsed?.rest}`;
}

function findWrong(text: string, keepPlaceholders: boolean): { from: number; to: number } | undefined {
  try {
    parseVariableText(text, { keepPlaceholders });
    return undefined;
  } catch (error) {
    if (!(error instanceof VariableSyntaxError)) throw error;
    const lines = text.split('\n');
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const from = Math.min(before + error.column - 1, text.length);
    const close = text.indexOf('}}', from);
    const to = close === -1 ? text.length : close + 2;
    return from < to ? { from, to } : undefined;
  }
}
