export type TaskCategory = 'trigger' | 'logic' | 'data' | 'messaging';

/** What a drawing needs to know of a task type; its settings and output are in its `TaskDefinition`. */
export interface TaskKind {
  /** Snake case, as drafts, versions and the API name it. */
  type: string;
  /** The spec's number, where it gives one. */
  typeId?: number;
  name: string;
  /** One sentence for the palette. */
  summary: string;
  category: TaskCategory;
  /** A lucide icon's name. */
  icon: string;
  isTrigger: boolean;
  /** Names of the exits; empty for the one plain exit. */
  branches: readonly string[];
}
