import { EditorView } from '@codemirror/view';

/** CodeMirror in the product's colors, with the size of its text fields. */
export const editorTheme = EditorView.theme({
  '&': {
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-line-strong)',
    borderRadius: 'var(--radius-md)',
    fontSize: 'var(--text-base)',
  },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.5rem', maxHeight: '18rem', overflow: 'auto' },
  '.cm-content': { padding: '0.3125rem 0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-placeholder': { color: 'var(--color-muted)', fontStyle: 'italic' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--color-accent-soft) !important',
  },
  '.cm-variable': {
    padding: '0.0625rem 0.375rem',
    borderRadius: 'var(--radius-sm)',
    backgroundColor: 'var(--color-accent-soft)',
    color: 'var(--color-accent)',
    fontSize: 'var(--text-sm)',
    fontFamily: 'var(--font-sans)',
    cursor: 'pointer',
  },
  '.cm-secret': {
    padding: '0.0625rem 0.375rem',
    borderRadius: 'var(--radius-sm)',
    backgroundColor: 'var(--color-canvas)',
    border: '1px solid var(--color-line)',
    fontSize: 'var(--text-sm)',
    letterSpacing: '0.1em',
  },
  '.cm-tag': { color: 'var(--color-accent)', fontFamily: 'var(--font-mono)', fontSize: 'var(--text-sm)' },
  '.cm-unknown': {
    color: 'var(--color-warning)',
    backgroundColor: 'var(--color-warning-soft)',
    textDecoration: 'underline wavy var(--color-warning)',
    textUnderlineOffset: '0.2em',
  },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--color-danger)',
    textUnderlineOffset: '0.2em',
  },
  '.cm-tooltip': {
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-md)',
    backgroundColor: 'var(--color-raised)',
    boxShadow: 'var(--shadow-overlay)',
    zIndex: '60',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.625rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--color-accent-soft)',
    color: 'var(--color-ink)',
  },
  '.cm-variable-value': { maxWidth: '24rem', padding: '0.375rem 0.625rem', fontSize: 'var(--text-sm)' },
  '.cm-variable-value code': { color: 'var(--color-muted)', fontSize: 'var(--text-xs)' },
  '.cm-variable-value p': {
    maxHeight: '9rem',
    overflow: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-variable-value .cm-no-value': { color: 'var(--color-muted)', fontStyle: 'italic' },
  '.cm-completionDetail': { color: 'var(--color-muted)', fontStyle: 'normal', marginLeft: '0.75rem' },
});

/** For code: JSON, XML, lists. */
export const codeTheme = EditorView.theme({
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-sm)' },
});
