const EDITOR = /^\/workflows\/[^/]+$/;

/** Whether a path is that of a workflow's editor. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);
