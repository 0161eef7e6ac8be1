/** Among other pages only the trash has a similar path. */
const EDITOR = /^\/workflows\/(?!trash$)[^/]+$/;

/** Whether a path is that of a workflow's editor. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);
