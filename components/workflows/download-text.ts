const TYPES = { json: 'application/json', svg: 'image/svg+xml' } as const;

/** Downloads a text as a file. */
export function downloadText(name: string, extension: keyof typeof TYPES, text: string): void {
  const base = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'workflow';
  saveFile(new Blob([text], { type: TYPES[extension] }), `${base}.${extension}`);
}

/** Saves a file where the browser saves downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
