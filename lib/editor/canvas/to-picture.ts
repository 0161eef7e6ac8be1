import type { WorkflowEdge, WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { describeTask } from '#lib/tasks/describe-task.ts';
import { exitsOf, findExit } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { BranchColor, TaskCategory } from '#lib/tasks/task-kind.ts';
import { escapeXml } from '#lib/variables/escape.ts';
import type { CanvasDocument, Point } from './document.ts';
import { exitTop, IN_TOP_PX, TASK_HEADER_PX, taskSize } from './task-size.ts';

const MARGIN_PX = 40;
const TITLE_PX = 44;
const TITLE_SIZE_PX = 18;
const NOTE_WIDTH_PX = 224;
const NOTE_LINE_PX = 20;
const NOTE_PADDING_PX = 12;
const NAME_SIZE_PX = 13;
const SMALL_SIZE_PX = 12;

/** The light theme of app/globals.css, in colors that every SVG viewer supports. */
const COLOURS = {
  canvas: '#f5f4ef',
  surface: '#fdfdfb',
  ink: '#17232b',
  muted: '#505d65',
  line: '#dbd9d3',
  strong: '#7a858c',
  note: '#fdeeca',
  noteLine: '#7e4f0c',
};

const TINTS: Readonly<Record<TaskCategory, { soft: string; strong: string }>> = {
  trigger: { soft: '#d6eff3', strong: '#006174' },
  logic: { soft: '#fdeeca', strong: '#7e4f0c' },
  data: { soft: '#e3edff', strong: '#34589d' },
  messaging: { soft: '#daf5e0', strong: '#1d6337' },
};

const CABLES: Readonly<Record<BranchColor, string>> = {
  plain: COLOURS.strong,
  positive: '#1d865a',
  negative: '#bf7118',
  repeat: '#7d52b3',
  failed: '#b02b27',
};

/** A workflow as a self-contained SVG file in light colors: tasks with their names and exits, edges and notes. */
export function toPicture({ name, tasks, edges, notes }: CanvasDocument): string {
  const box = boundsOf(tasks, notes, name);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.x} ${box.y} ${box.width} ${box.height}" width="${box.width}" height="${box.height}" font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" role="img">`,
    `<title>${escapeXml(name)}</title>`,
    rect({ ...box, fill: COLOURS.canvas }),
    text(name, { x: box.x + MARGIN_PX, y: box.y + MARGIN_PX, size: TITLE_SIZE_PX, weight: 600 }),
    ...notes.map(drawNote),
    ...edges.map((edge) => drawCable(edge, byId)),
    ...tasks.map(drawTask),
    '</svg>',
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const placeOf = ({ position }: WorkflowTask): Point => position ?? { x: 0, y: 0 };

function boundsOf(tasks: readonly WorkflowTask[], notes: readonly WorkflowNote[], name: string): Box {
  const boxes: Box[] = [
    ...tasks.map((task) => ({ ...placeOf(task), ...taskSize(task) })),
    ...notes.map((note) => ({ ...note.position, width: NOTE_WIDTH_PX, height: noteHeight(note) })),
  ];
  const x = Math.floor(Math.min(...boxes.map((box) => box.x), Infinity));
  const y = Math.floor(Math.min(...boxes.map((box) => box.y), Infinity));
  const right = Math.ceil(Math.max(...boxes.map((box) => box.x + box.width), -Infinity));
  const bottom = Math.ceil(Math.max(...boxes.map((box) => box.y + box.height), -Infinity));
  const isEmpty = boxes.length === 0;
  const width = Math.max(isEmpty ? 0 : right - x, Math.ceil(textWidth(name, TITLE_SIZE_PX)));
  return {
    x: (isEmpty ? 0 : x) - MARGIN_PX,
    y: (isEmpty ? 0 : y) - MARGIN_PX - TITLE_PX,
    width: width + 2 * MARGIN_PX,
    height: (isEmpty ? 0 : bottom - y) + 2 * MARGIN_PX + TITLE_PX,
  };
}

function drawTask(task: WorkflowTask): string {
  const { x, y } = placeOf(task);
  const { width, height } = taskSize(task);
  const definition = findTaskKind(task.type);
  const tint = TINTS[definition?.category ?? 'logic'];
  const exits = exitsOf(task);
  const kind = `${task.disabled ? 'Skipped · ' : ''}${describeTask(task)}`;
  const textX = x + 58;
  const textWidthPx = width - 58 - 12;
  return [
    `<g data-task-id="${task.id}"${task.disabled ? ' opacity="0.6"' : ''}><title>${escapeXml(task.name)}</title>`,
    rect({
      x,
      y,
      width,
      height,
      fill: COLOURS.surface,
      stroke: COLOURS.strong,
      radius: 10,
      dashed: task.disabled,
    }),
    rect({ x: x + 12, y: y + 12, width: 36, height: 36, fill: tint.soft, radius: 7 }),
    `<circle cx="${x + 30}" cy="${y + 30}" r="7" fill="none" stroke="${tint.strong}" stroke-width="3"/>`,
    text(fitText(task.name, NAME_SIZE_PX, textWidthPx), {
      x: textX,
      y: y + 27,
      size: NAME_SIZE_PX,
      weight: 500,
    }),
    text(fitText(kind, SMALL_SIZE_PX, textWidthPx), {
      x: textX,
      y: y + 45,
      size: SMALL_SIZE_PX,
      fill: COLOURS.muted,
    }),
    exits.length > 1 ? `<path d="M${x} ${y + TASK_HEADER_PX}h${width}" stroke="${COLOURS.line}"/>` : '',
    ...exits.map(({ label }, index) => {
      const at = exitPoint(task, index);
      const word = text(label, {
        x: at.x - 16,
        y: at.y + 4,
        size: SMALL_SIZE_PX,
        fill: COLOURS.muted,
        anchor: 'end',
      });
      return `${exits.length > 1 ? word : ''}${socket(at)}`;
    }),
    definition?.isTrigger ? '' : socket({ x, y: y + IN_TOP_PX }),
    '</g>',
  ]
    .filter((part) => part !== '')
    .join('');
}

/** Where an exit's edge starts. */
function exitPoint(task: WorkflowTask, index: number): Point {
  const { x, y } = placeOf(task);
  return { x: x + taskSize(task).width, y: y + exitTop(task, index) };
}

function drawCable({ from, to, branch }: WorkflowEdge, byId: ReadonlyMap<number, WorkflowTask>): string {
  const [parent, child] = [byId.get(from), byId.get(to)];
  if (!parent || !child) return '';
  const exits = exitsOf(parent);
  const index = Math.max(
    0,
    exits.findIndex((exit) => exit.branch === branch),
  );
  const start = exitPoint(parent, index);
  const { x, y } = placeOf(child);
  const end = { x, y: y + IN_TOP_PX };
  const distance = end.x - start.x;
  const bend = distance >= 0 ? distance / 2 : 6.25 * Math.sqrt(-distance);
  return `<path d="M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}" fill="none" stroke="${CABLES[findExit(parent, branch).color]}" stroke-width="2"/>`;
}

const noteLines = (note: WorkflowNote): string[] =>
  wrapText(note.text, NAME_SIZE_PX, NOTE_WIDTH_PX - 2 * NOTE_PADDING_PX);

const noteHeight = (note: WorkflowNote): number =>
  noteLines(note).length * NOTE_LINE_PX + 2 * NOTE_PADDING_PX;

function drawNote(note: WorkflowNote): string {
  const { x, y } = note.position;
  const box = { x, y, width: NOTE_WIDTH_PX, height: noteHeight(note) };
  const lines = noteLines(note).map((line, index) =>
    text(line, {
      x: x + NOTE_PADDING_PX,
      y: y + NOTE_PADDING_PX + 14 + index * NOTE_LINE_PX,
      size: NAME_SIZE_PX,
    }),
  );
  return `<g data-note="${escapeXml(note.id)}">${rect({ ...box, fill: COLOURS.note, stroke: COLOURS.noteLine, radius: 7 })}${lines.join('')}</g>`;
}

const socket = ({ x, y }: Point): string =>
  `<circle cx="${x}" cy="${y}" r="5" fill="${COLOURS.surface}" stroke="${COLOURS.strong}" stroke-width="2"/>`;

function rect(
  box: Box & { fill: string; stroke?: string; radius?: number; dashed?: boolean | undefined },
): string {
  const { x, y, width, height, fill, stroke, radius = 0, dashed } = box;
  const line = stroke === undefined ? '' : ` stroke="${stroke}"${dashed ? ' stroke-dasharray="5 4"' : ''}`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${line}/>`;
}

function text(
  words: string,
  look: { x: number; y: number; size: number; fill?: string; weight?: number; anchor?: 'end' },
): string {
  if (words === '') return '';
  const { x, y, size, fill = COLOURS.ink, weight, anchor } = look;
  const more = `${weight === undefined ? '' : ` font-weight="${weight}"`}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${more} xml:space="preserve">${escapeXml(words)}</text>`;
}

// Texts of a picture: SVG has no line breaks and no font metrics here, so that widths are estimated for a wide font.

const NARROW = /[ifjltI.,:;'!|()[\] ]/;
const WIDE = /[mwMW@—…]/;
const CAPITAL = /\p{Lu}/u;
const FULL =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u;

function widthOf(character: string): number {
  if (FULL.test(character)) return 1.05;
  if (NARROW.test(character)) return 0.37;
  if (WIDE.test(character)) return 0.95;
  return CAPITAL.test(character) ? 0.72 : 0.61;
}

/** Estimated width of a text. */
export const textWidth = (text: string, sizePx: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character) * sizePx, 0);

/** The text, shortened with an ellipsis when it is wider. */
export function fitText(text: string, sizePx: number, widthPx: number): string {
  if (textWidth(text, sizePx) <= widthPx) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, sizePx) > widthPx) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Lines of at most this width, broken between words where possible. */
export function wrapText(text: string, sizePx: number, widthPx: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      const longer = last === '' ? word : `${last} ${word}`;
      if (textWidth(longer, sizePx) <= widthPx) lines[lines.length - 1] = longer;
      else lines.push(...breakWord(word, sizePx, widthPx));
    }
    return lines[0] === '' && lines.length > 1 ? lines.slice(1) : lines;
  });
}

function breakWord(word: string, sizePx: number, widthPx: number): string[] {
  const parts = [''];
  for (const character of word) {
    const longer = (parts.at(-1) ?? '') + character;
    if (textWidth(longer, sizePx) <= widthPx) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
