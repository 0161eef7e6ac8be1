import type { DraftCheck } from '#lib/editor/canvas/check-draft.ts';
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import type { Spot } from '#lib/editor/canvas/commands.ts';
import type { History } from '#lib/editor/canvas/history.ts';
import type { Sample } from '#lib/editor/canvas/sample-types.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { FollowedDraftRun } from './draft-run-types.ts';
import type { PublishedState } from '#lib/screens/editor-types.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  | { kind: 'failed'; message: string }
  /** The server cannot be reached; it is tried again. */
  | { kind: 'offline' }
  /** The session has expired. */
  | { kind: 'signed_out' }
  /** Somebody else saved in the meantime. */
  | { kind: 'conflict' };

/** Changes that only this browser has. */
export interface OfferedDraft {
  document: CanvasDocument;
  nextTaskId: number;
  /** The server's revision that was changed. */
  revision: number;
  /** ISO 8601. */
  keptAt: string;
}

export type EditorDialog =
  'publish' | 'run_draft' | 'history' | 'shortcuts' | 'unpublish' | 'sign_in' | 'find' | null;

/** How wide the parts beside the canvas are. */
export interface EditorWidths {
  panelPx: number;
  palettePx: number;
}

export interface EditorState extends DraftCheck {
  history: History;
  nextTaskId: number;
  /** The server's revision that the history started from or was last saved as. */
  revision: number;
  save: SaveState;
  /** The browser keeps what is not saved yet. */
  isKept: boolean;
  /** What was not saved when this workflow was last open in this browser. */
  offered: OfferedDraft | undefined;
  live: PublishedState;
  /** Ids of the canvas (node-ids.ts). */
  selection: ReadonlySet<string>;
  /** Counts how often somebody asked to see what is selected: it is brought into view each time. */
  revealCount: number;
  /** The key of the chosen edge. */
  selectedEdge: string | undefined;
  openTaskId: number | undefined;
  /** A field of the open task that is to be shown, such as `settings.url`. */
  shownField: string | undefined;
  /** The task that was added last, until its panel closes: nobody has left its fields empty yet. */
  freshTaskId: number | undefined;
  renamingId: number | undefined;
  /** Where the task picker adds what is picked; undefined while it is closed. */
  pickingFor: Spot | undefined;
  /** The task that is being connected by keyboard. */
  connectingFrom: number | undefined;
  dialog: EditorDialog;
  /** What the platform said of what the draft picks, as far as it is known. */
  facts: PlatformFacts;
  /** Of the workspace. */
  secrets: readonly KnownSecret[];
  /** It was published on this screen, and what to do next is still shown. */
  isJustPublished: boolean;
  widths: EditorWidths;
  /** The list of tasks beside the canvas. */
  isPaletteShown: boolean;
  /** The run of the draft that is followed on the canvas. */
  draftRun: FollowedDraftRun | undefined;
  /** Tasks that runs of the draft do not execute. */
  pinned: ReadonlySet<number>;
  sample: Sample | undefined;
  /** JSON of what tasks gave when they were tried alone. */
  triedOutputs: Readonly<Record<number, string>>;
}
