// The server's side of the editor, which the page hands in: what each call takes and answers.
import type { ActionResult } from '#lib/auth/action-types.ts';
import type { DrawingCheck } from '#lib/canvas/check-drawing.ts';
import type { ListenedEvent, Sample, TryResult } from '#lib/canvas/sample-types.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Silence } from '#lib/workflows/silence-types.ts';
import type { WorkflowVersion } from '#lib/workflows/version-types.ts';

type NamedGraph = WorkflowGraph & { name: string };

/** The draft as the server has it. */
export interface LoadedDraft {
  graph: NamedGraph;
  revision: number;
  nextTaskId: number;
}

/** What callers of the URLs meet. */
export interface LiveState {
  publishedVersion: number | null;
  active: boolean;
  /** The published drawing; null while there is none. */
  publishedGraph: WorkflowGraph | null;
}

export interface PickerOption {
  value: string;
  label: string;
  /** A second line: a number, a language. */
  detail?: string;
  /** One coloured word. */
  badge?: { text: string; tone: 'success' | 'warning' | 'danger' | 'neutral' };
  /** Of a message template: what its form and its preview are made of. */
  template?: PickedTemplate;
  /** Of a connection: the business account that it is for. */
  businessAccountId?: string;
}

export interface PickedTemplate {
  name: string;
  language: string;
  components: unknown[];
}

export interface PickerQuery {
  kind: 'connection' | 'business_account' | 'phone_number' | 'message_template';
  connectionId?: string | undefined;
  businessAccountId?: string | undefined;
}

export interface EditorActions {
  saveDraft: (input: {
    id: string;
    draft_revision: number;
    graph: NamedGraph;
  }) => Promise<ActionResult<{ revision: number; nextTaskId: number; sealed: WorkflowTask[] }>>;
  loadDraft: (input: { id: string }) => Promise<ActionResult<LoadedDraft>>;
  copyDraft: (input: { graph: NamedGraph }) => Promise<ActionResult<{ id: string }>>;
  publish: (input: { id: string; draft_revision: number }) => Promise<ActionResult<LiveState>>;
  unpublish: (input: { id: string }) => Promise<ActionResult<LiveState>>;
  setActive: (input: { id: string; active: boolean }) => Promise<ActionResult<LiveState>>;
  listVersions: (input: { id: string }) => Promise<ActionResult<WorkflowVersion[]>>;
  getVersion: (input: { id: string; version: number }) => Promise<ActionResult<NamedGraph>>;
  tryTask: (input: {
    id: string;
    task_id: number;
    event_id: string | undefined;
    tried: Record<string, string>;
    confirmed: boolean;
  }) => Promise<ActionResult<TryResult>>;
  listOptions: (input: PickerQuery) => Promise<ActionResult<PickerOption[]>>;
  /** Runs the workflow when a customer writes to a number of the connection. */
  subscribeToMessages: (input: { id: string; connectionId: string }) => Promise<ActionResult<void>>;
  /** Where the browser goes to log in at the platform; it comes back to the task. */
  startLogin: (input: {
    id?: string | undefined;
    origin: { workflowId: string; taskId: number };
  }) => Promise<ActionResult<{ url: string }>>;
}

/** What the page knows when it opens. */
export interface EditorStart extends LoadedDraft, LiveState, DrawingCheck {
  id: string;
  canEdit: boolean;
  productionUrl: string;
  testUrl: string;
  sample: Sample | undefined;
  silence: Silence | undefined;
  /** The task that the address names; it is open at once. */
  openTaskId: number | undefined;
}

/** The answer of the route `events`. */
export interface ListenAnswer {
  events: ListenedEvent[];
}
