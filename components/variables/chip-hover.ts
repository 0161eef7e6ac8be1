import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { findTags } from './variable-tags.ts';

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
export const chipHover = (valueOf: (path: string) => HoveredVariable | undefined): Extension =>
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
