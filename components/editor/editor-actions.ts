// The server actions of the editor, passed in by the page: arguments and results.
import type { CustomerWindow } from '#lib/messaging/sending/find-window.ts';
import type { DraftRunRequest } from './draft-run-types.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { DraftCheck } from '#lib/editor/canvas/check-draft.ts';
import type { ListenedEvent, Sample, TryResult } from '#lib/editor/canvas/sample-scope.ts';
import type {
  EditorTime,
  LoadedDraft,
  NamedGraph,
  PickerOption,
  PickerQuery,
  PublishedState,
} from '#lib/screens/editor-types.ts';
import type { EditorWidths } from './editor-state.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { Silence } from '#lib/workflows/silences.ts';
import type { WorkflowVersion } from '#lib/workflows/versions.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';

export interface EditorActions {
  saveDraft: (input: {
    id: string;
    draft_revision: number;
    graph: NamedGraph;
  }) => Promise<ActionResult<{ revision: number; nextTaskId: number; sealed: WorkflowTask[] }>>;
  loadDraft: (input: { id: string }) => Promise<ActionResult<LoadedDraft>>;
  copyDraft: (input: { graph: NamedGraph }) => Promise<ActionResult<{ id: string }>>;
  publish: (input: {
    id: string;
    draft_revision: number;
  }) => Promise<ActionResult<{ live: PublishedState; warnings: string[] }>>;
  unpublish: (input: { id: string }) => Promise<ActionResult<PublishedState>>;
  setActive: (input: { id: string; active: boolean; hold: boolean }) => Promise<ActionResult<PublishedState>>;
  startNow: (input: { id: string }) => Promise<ActionResult<{ event_id: string; run_id: string }>>;
  limitRuns: (input: {
    id: string;
    max_concurrent_runs: number | null;
  }) => Promise<ActionResult<PublishedState>>;
  duplicate: (input: { id: string }) => Promise<ActionResult<{ id: string; name: string }>>;
  exportJson: (input: { id: string }) => Promise<ActionResult<{ name: string; json: string }>>;
  listVersions: (input: { id: string }) => Promise<ActionResult<WorkflowVersion[]>>;
  getVersion: (input: { id: string; version: number }) => Promise<ActionResult<NamedGraph>>;
  tryTask: (input: {
    id: string;
    task_id: number;
    event_id: string | undefined;
    tried: Record<string, string>;
    confirmed: boolean;
  }) => Promise<ActionResult<TryResult>>;
  /** The platform's data about connections; those with an older check are checked again. */
  loadFacts: (input: {
    id: string;
    uses: ConnectionUse[];
    maxAgeSeconds: number;
  }) => Promise<ActionResult<PlatformFacts>>;
  runDraft: (input: DraftRunRequest) => Promise<ActionResult<{ runId: string; eventId: string }>>;
  cancelRun: (input: { id: string }) => Promise<ActionResult<void>>;
  pinOutput: (input: { id: string; task_id: number; run_id: string }) => Promise<ActionResult<void>>;
  unpinOutput: (input: { id: string; task_id: number }) => Promise<ActionResult<void>>;
  listOptions: (input: PickerQuery) => Promise<ActionResult<PickerOption[]>>;
  /** The state of the 24-hour window; null for an invalid recipient. */
  findWindow: (input: {
    id: string;
    phoneNumberId: string;
    recipient: string;
  }) => Promise<ActionResult<CustomerWindow | null>>;
  /** Stores a credential of a setting as a named secret; the result replaces it there. */
  moveToSecret: (input: { name: string; value: string }) => Promise<ActionResult<{ variable: string }>>;
  /** Subscribes the connection to messages of customers: without it no answer arrives. */
  receiveNotifications: (input: { connectionId: string }) => Promise<ActionResult<void>>;
  /** The URL of the platform's login, which returns to the task. */
  startLogin: (input: {
    id?: string | undefined;
    origin: { workflowId: string; taskId: number };
  }) => Promise<ActionResult<{ url: string }>>;
}

/** Data of the page when it opens. */
export interface EditorStart extends LoadedDraft, PublishedState, DraftCheck {
  id: string;
  user: { id: string; email: string };
  canEdit: boolean;
  productionUrl: string;
  /** To enter in the platform's dashboard with the production URL; empty for viewers. */
  verifyToken: string;
  testUrl: string;
  widths: EditorWidths;
  isPaletteShown: boolean;
  sample: Sample | undefined;
  /** Tasks that runs of the draft do not execute. */
  pinnedTaskIds: readonly number[];
  silence: Silence | undefined;
  /** The platform's data about what the draft picks. */
  facts: PlatformFacts;
  /** Of the workspace. */
  secrets: readonly KnownSecret[];
  time: EditorTime;
  /** The task in the URL, which is opened initially. */
  openTaskId: number | undefined;
}

/** Response of the route `events`. */
export interface ListenAnswer {
  events: ListenedEvent[];
}
