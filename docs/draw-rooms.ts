// The imports between rooms as a picture, generated from the sources (docs/rooms.svg).
import { join } from 'node:path';
import { Graph, layout } from '@dagrejs/dagre';
import { cruise } from 'dependency-cruiser';
import { options, ROOMS, TEST_FILES } from '../.dependency-cruiser.mjs';

type Arrow = [from: string, to: string];

const ROOM_SIZE = { width: 136, height: 38 };
const MARGIN = 16;
const root = join(import.meta.dirname, '..');

/** The lowest first. */
const LEVELS = [...ROOMS.map((room) => `lib/${room}`), 'components', 'server', 'app'];

/** The current picture. @throws Error for an import that goes up */
export async function drawRooms(): Promise<string> {
  return toSvg(withoutShortcuts(await listImports()));
}

/** Room → the rooms that it imports, without tests. */
async function listImports(): Promise<Map<string, Set<string>>> {
  const { output } = await cruise(['app', 'components', 'lib', 'server'], {
    ...options,
    includeOnly: '^(app|components|lib|server)/',
    exclude: { path: TEST_FILES },
    baseDir: root,
  });
  if (typeof output === 'string') throw new Error('The imports could not be read.');
  const imports = new Map(LEVELS.map((room) => [room, new Set<string>()]));
  for (const { source, dependencies } of output.modules) {
    const from = roomOf(source);
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (LEVELS.indexOf(to) > LEVELS.indexOf(from))
        throw new Error(`${source} imports ${resolved}, upward.`);
      if (to !== from) imports.get(from)?.add(to);
    }
  }
  return imports;
}

function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' ? `lib/${second}` : top;
}

/** Leaves out an arrow where a longer path exists. */
function withoutShortcuts(imports: Map<string, Set<string>>): Arrow[] {
  const reaches = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .toSorted()
      .map((to): Arrow => [from, to]),
  );
}

function toSvg(arrows: readonly Arrow[]): string {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 34, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const room of LEVELS.toReversed()) graph.setNode(room, { ...ROOM_SIZE });
  for (const [from, to] of arrows) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const lines = graph.edges().map((edge) => {
    const { points } = graph.edge(edge) as { points: { x: number; y: number }[] };
    return `<path d="M${points.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`).join('L')}" marker-end="url(#tip)"/>`;
  });
  const boxes = graph.nodes().map((room) => toBox(room, graph.node(room) as { x: number; y: number }));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" font-family="system-ui, sans-serif" font-size="14">
<title>The rooms of the code: an arrow leads to what is imported</title>
<style>
  .paper { fill: #ffffff } .room { fill: #f3f5f9; stroke: #3b5bdb } .name { fill: #1c2333; text-anchor: middle }
  .arrow { fill: none; stroke: #7a7f8a; stroke-width: 1.4 } .tip { fill: #7a7f8a }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0f1420 } .room { fill: #1c2333; stroke: #8ea5ff } .name { fill: #f3f5f9 }
    .arrow { stroke: #99a1b3 } .tip { fill: #99a1b3 }
  }
</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L10 5L0 10z"/></marker></defs>
<rect class="paper" width="100%" height="100%"/>
<g class="arrow">
${lines.join('\n')}
</g>
${boxes.join('\n')}
</svg>
`;
}

function toBox(room: string, { x, y }: { x: number; y: number }): string {
  const [left, top] = [Math.round(x - ROOM_SIZE.width / 2), Math.round(y - ROOM_SIZE.height / 2)];
  return (
    `<rect class="room" x="${left}" y="${top}" width="${ROOM_SIZE.width}" height="${ROOM_SIZE.height}" rx="8"/>` +
    `<text class="name" x="${Math.round(x)}" y="${Math.round(y) + 5}">${room}</text>`
  );
}
