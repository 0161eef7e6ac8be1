/** The style of a link's page: no script, no other file, readable on a phone, light and dark. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.966 0.006 95), oklch(0.185 0.014 235));
  --surface: light-dark(oklch(0.993 0.002 95), oklch(0.222 0.015 235));
  --ink: light-dark(oklch(0.25 0.022 235), oklch(0.94 0.008 95));
  --muted: light-dark(oklch(0.47 0.02 235), oklch(0.74 0.014 220));
  --line: light-dark(oklch(0.885 0.008 95), oklch(0.325 0.015 235));
  --line-strong: light-dark(oklch(0.61 0.016 235), oklch(0.57 0.016 235));
  --accent: light-dark(oklch(0.45 0.088 215), oklch(0.8 0.1 205));
  --accent-ink: light-dark(oklch(0.99 0.004 200), oklch(0.2 0.03 220));
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100dvh; padding: 1.5rem 1rem; background: var(--canvas); color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
main {
  max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 0.875rem; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.25rem; line-height: 1.75rem; white-space: pre-line }
p { margin: 0.75rem 0 0 }
.details, blockquote { white-space: pre-wrap }
.details { padding-top: 0.75rem; border-top: 1px solid var(--line) }
blockquote { margin: 0.75rem 0 0; padding-left: 0.75rem; border-left: 3px solid var(--line-strong) }
.note { color: var(--muted); font-size: 0.875rem; line-height: 1.375rem }
.problem { font-weight: 600 }
label { display: block; margin-top: 1rem; font-weight: 600 }
textarea {
  display: block; width: 100%; min-height: 5rem; margin-top: 0.25rem; padding: 0.5rem 0.75rem; font: inherit;
  color: inherit; background: var(--surface); border: 1px solid var(--line-strong); border-radius: 0.4375rem;
}
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem }
button {
  flex: 1 1 8rem; min-height: 3rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: 0.625rem;
}
button.first { color: var(--accent-ink); background: var(--accent); border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
