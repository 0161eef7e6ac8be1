const TYPES = { json: 'application/json', svg: 'image/svg+xml' } as const;

/** Downloads a text as a file. */
export function downloadText(name: string, extension: keyof typeof TYPES, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[extension] }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'workflow'}.${extension}`;
  link.click();
  URL.revokeObjectURL(url);
}
