// Every page of the product, by the sources of its routes, so that none can be forgotten.
import { listPages } from '../../server/testing/authorization-surface.ts';

export interface MeasuredPath {
  path: string;
  /** Seen without a session. */
  isOpen: boolean;
}

/** What stands for `[…]`, by the route; of the workflow the large one, too. */
export type Targets = Readonly<Record<string, readonly string[]>>;

/** @throws Error for a route with `[…]` that nothing stands for */
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
