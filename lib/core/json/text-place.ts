/** The line and column (both from 1) of an offset. Lines end as editors count them: after `\n`, `\r\n` or `\r`. */
export function placeAt(text: string, offset: number): { offset: number; line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x0a && code !== 0x0d) continue;
    if (code === 0x0d && at + 1 < offset && text.charCodeAt(at + 1) === 0x0a) at++;
    line++;
    lineStart = at + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}
