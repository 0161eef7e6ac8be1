const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A whole HTML page. `body` is HTML; styles and scripts are files of `sandbox/public`. */
export function page(input: { title: string; styles: string[]; scripts?: string[]; body: string }): string {
  const styles = ['base.css', ...input.styles].map(
    (name) => `<link rel="stylesheet" href="/public/${name}">`,
  );
  const scripts = (input.scripts ?? []).map((name) => `<script src="/public/${name}" defer></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(input.title)}</title>
<link rel="icon" href="/public/icon.svg">
${[...styles, ...scripts].join('\n')}
</head>
<body>
${input.body}
</body>
</html>
`;
}
