import type { Operation } from './operation.ts';

/** Root of the API's paths. */
export const API_ROOT = '/api/v1';

export interface PathMatch {
  operation: Operation;
  params: Record<string, string>;
}

/** The operations at a URL's path, one a method; none for an unknown path. */
export function matchPath(operations: readonly Operation[], pathname: string): PathMatch[] {
  if (!pathname.startsWith(`${API_ROOT}/`)) return [];
  const segments = pathname.slice(API_ROOT.length).replace(/\/$/, '').split('/');
  return operations.flatMap((operation) => {
    const params = matchSegments(operation.path.split('/'), segments);
    return params ? [{ operation, params }] : [];
  });
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
    } else if (segment === '') return undefined;
    else params[part.slice(1, -1)] = decode(segment);
  }
  return params;
}

/** A parameter as its caller meant it, such as a number with `+`; one that is not encoded correctly is unchanged. */
function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    // No text of the database contains it.
    return decoded.includes('\0') ? segment : decoded;
  } catch {
    return segment;
  }
}
