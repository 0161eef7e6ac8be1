/** Lets the browser save a text as a JSON file named after something. */
export function downloadJson(name: string, json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'workflow'}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
