import type { DraftCheck } from '#lib/editor/canvas/check-draft.ts';
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import type { Spot } from '#lib/editor/canvas/commands.ts';
import type { RepeatOffer } from '#lib/editor/canvas/repeat.ts';
import type { History } from '#lib/editor/canvas/history.ts';
import type { Sample } from '#lib/editor/canvas/sample-scope.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { FollowedDraftRun } from './draft-run-types.ts';
import type { EditorTime, PublishedState } from '#lib/screens/editor-types.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  | { kind: 'failed'; message: string }
  /** The server is unreachable; saving is retried. */
  | { kind: 'offline' }
  /** The session has expired. */
  | { kind: 'signed_out' }
  /** Another user has saved since. */
  | { kind: 'conflict' };

/** Changes that are only in this browser. */
export interface OfferedDraft {
  document: CanvasDocument;
  nextTaskId: number;
  /** The server's revision that they are based on. */
  revision: number;
  /** ISO 8601. */
  keptAt: string;
}

export type EditorDialog =
  | 'publish'
  | 'run_draft'
  | 'history'
  | 'shortcuts'
  | 'unpublish'
  | 'pause'
  | 'run_limit'
  | 'sign_in'
  | 'find'
  | null;

/** Widths of the parts beside the canvas. */
export interface EditorWidths {
  panelPx: number;
  palettePx: number;
}

export interface EditorState extends DraftCheck {
  history: History;
  nextTaskId: number;
  /** The server's revision at the start of the history or after the last save. */
  revision: number;
  save: SaveState;
  /** The browser stores unsaved changes. */
  isKept: boolean;
  /** Unsaved changes from when this workflow was last open in this browser. */
  offered: OfferedDraft | undefined;
  live: PublishedState;
  /** Ids of the canvas (node-ids.ts). */
  selection: ReadonlySet<string>;
  /** Increased by each request to bring the selection into view. */
  revealCount: number;
  /** The key of the selected edge. */
  selectedEdge: string | undefined;
  openTaskId: number | undefined;
  /** The field of the open task to show, such as `settings.url`. */
  shownField: string | undefined;
  /** The task that was added last, until its panel closes: its empty fields are not errors yet. */
  freshTaskId: number | undefined;
  renamingId: number | undefined;
  /** Where the task picker adds the task; undefined while it is closed. */
  pickingFor: Spot | undefined;
  /** The task that is being connected by keyboard. */
  connectingFrom: number | undefined;
  /** What is offered for an edge that would lead back. */
  repeatOffer: RepeatOffer | undefined;
  dialog: EditorDialog;
  /** The platform's data about what the draft picks, as far as known. */
  facts: PlatformFacts;
  /** Of the workspace. */
  secrets: readonly KnownSecret[];
  time: EditorTime;
  /** It was published on this screen, and the next steps are still shown. */
  isJustPublished: boolean;
  widths: EditorWidths;
  /** The list of tasks beside the canvas. */
  isPaletteShown: boolean;
  /** The run of the draft shown on the canvas. */
  draftRun: FollowedDraftRun | undefined;
  /** Tasks that runs of the draft do not execute. */
  pinned: ReadonlySet<number>;
  sample: Sample | undefined;
  /** JSON of outputs from trying single tasks. */
  triedOutputs: Readonly<Record<number, string>>;
}
