// What the editor is handed: the draft, what is published, what its pickers offer.
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { PickSource } from '#lib/tasks/task-definition.ts';

export type NamedGraph = WorkflowGraph & { name: string };

/** The draft as the server has it. */
export interface LoadedDraft {
  graph: NamedGraph;
  revision: number;
  nextTaskId: number;
}

/** What callers of the URLs meet. */
export interface PublishedState {
  publishedVersion: number | null;
  active: boolean;
  /** The published workflow; null while there is none. */
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
  kind: PickSource;
  connectionId?: string | undefined;
  businessAccountId?: string | undefined;
}
