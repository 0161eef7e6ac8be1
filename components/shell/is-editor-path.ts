/** Of the pages beside the editors only the trash has an address like theirs. */
const EDITOR = /^\/workflows\/(?!trash$)[^/]+$/;

/** Whether a path is that of a workflow's editor. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);
