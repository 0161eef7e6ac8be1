// Data of the editor: the draft, the published version, options of its pickers.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { PickSource } from '#lib/tasks/task-definition.ts';

export type NamedGraph = WorkflowGraph & { name: string };

/** The draft as stored on the server. */
export interface LoadedDraft {
  graph: NamedGraph;
  revision: number;
  nextTaskId: number;
}

/** The workspace's time, as far as the editor shows it. */
export interface EditorTime {
  zone: string;
  /** Names of its calendars of opening hours. */
  calendars: readonly string[];
}

/** The version that callers of the URLs get. */
export interface PublishedState {
  publishedVersion: number | null;
  active: boolean;
  /** While it is paused its runs wait. */
  holdsRuns: boolean;
  /** Those that wait, at most 10,000. */
  heldRuns: number;
  /** Null: no limit. */
  maxConcurrentRuns: number | null;
  /** Names of the workflows that call it. */
  calledBy: readonly string[];
  /** The published workflow; null without one. */
  publishedGraph: WorkflowGraph | null;
}

export interface PickerOption {
  value: string;
  label: string;
  /** A second line: a number, a language. */
  detail?: string;
  /** One colored word. */
  badge?: { text: string; tone: 'success' | 'warning' | 'danger' | 'neutral' };
  /** Of a message template: the data of its form and its preview. */
  template?: PickedTemplate;
  /** Of a connection: its business account. */
  businessAccountId?: string;
}

export interface PickedTemplate {
  name: string;
  language: string;
  components: unknown[];
  /** POSITIONAL or NAMED; left out: unknown. */
  parameterFormat?: string;
}

export interface PickerQuery {
  kind: PickSource;
  connectionId?: string | undefined;
  businessAccountId?: string | undefined;
}
