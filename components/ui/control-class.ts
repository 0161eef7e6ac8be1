/** The common look of inputs; 16 px on phones, so that they do not zoom in. */
export const CONTROL_CLASS =
  'control min-w-0 rounded-md border border-line-strong bg-raised text-lg text-ink sm:text-base ' +
  'placeholder:text-muted hover:border-ink/60 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:opacity-60 disabled:hover:border-line-strong';
