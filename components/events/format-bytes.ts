const KILO = 1024;

/** Formats a size: "12 B", "3.4 KB", "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  const kilobytes = bytes / KILO;
  return kilobytes < KILO ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / KILO).toFixed(1)} MB`;
}
