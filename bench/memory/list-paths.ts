// Every page of the product, derived from its route files, so that none is missing.
import { listPages } from '../../server/testing/authorization-surface.ts';

export interface MeasuredPath {
  path: string;
  /** Seen without a session. */
  isOpen: boolean;
}

/** Values for `[…]`, by route; for workflows also the large one. */
export type Targets = Readonly<Record<string, readonly string[]>>;

/** @throws Error for a route with `[…]` without a value */
export function listPaths(root: string, targets: Targets): MeasuredPath[] {
  return listPages(root)
    .flatMap((file): MeasuredPath[] => {
      const route = file
        .replace(/^app/, '')
        .replace(/\/page\.tsx?$/, '')
        .replace(/\/\(list\)/, '');
      const isOpen = route.startsWith('/(auth)');
      const path = route.replace(/\/\([^)]+\)/g, '') || '/';
      if (!path.includes('[')) return [{ path, isOpen }];
      const ids = targets[path];
      if (!ids) throw new Error(`Nothing stands for the parameter of ${path}: add it to bench/memory.ts.`);
      return ids.map((id) => ({ path: path.replace(/\[[^\]]+\]/, id), isOpen }));
    })
    .concat({ path: '/help/', isOpen: true }, { path: '/api/v1/openapi.json', isOpen: true });
}
