// The pictures of bench/README.md.
import { type Bar, drawBars, type Panel, type Series } from '../plots/draw-bars.ts';
import type { Cell, Compared } from './alternate.ts';
import type { GrowthCell } from './growth.ts';
import type { StepsCell } from './steps.ts';

/** The connections at which costs are shown: of those that were measured, the fewest. */
const fewest = (cells: readonly Cell<StepsCell>[]): number =>
  Math.min(...cells.map(({ cell }) => cell.connections));

const nameOfTasks = (tasks: number): string => (tasks === 1 ? '1 task' : `${tasks} tasks`);
const MODES = [
  ['immediate', 'answered immediately'],
  ['after', 'answered after the workflow'],
] as const;
const EXECUTED =
  'Medians of rounds in alternation on the same cores, load generator included; everything is executed.';
const PROCESSES = 'User and system time until everything is executed, without the load generator; medians.';

/** Webhooks a second by steps, mode and connections, every system beside the others. */
export function drawRates(cells: readonly Cell<StepsCell>[]): string {
  const connections = [...new Set(cells.map(({ cell }) => cell.connections))];
  const panels = connections.flatMap((count) =>
    MODES.map(([mode, name]): Panel => ({
      title: `${name}, ${count} connections`,
      groups: groupsOf(
        cells.filter(({ cell }) => cell.connections === count && cell.mode === mode),
        ({ tasks }) => nameOfTasks(tasks),
        ({ system, median }) => ({
          name: system,
          parts: [{ series: system, value: median.executedPerSecond }],
        }),
      ),
    })),
  );
  return drawBars({
    title: 'Webhooks received, executed and answered a second',
    unit: 'webhooks/s',
    series: seriesOf(panels),
    columns: 2,
    hasCommonScale: true,
    panels: filled(panels),
    notes: [EXECUTED],
  });
}

/** What a webhook costs each process, by steps and mode. */
export function drawProcessorTime(cells: readonly Cell<StepsCell>[]): string {
  const count = fewest(cells);
  const panels = MODES.map(([mode, name]): Panel => ({
    title: `${name}, ${count} connections`,
    groups: groupsOf(
      cells.filter(({ cell }) => cell.connections === count && cell.mode === mode),
      ({ tasks }) => nameOfTasks(tasks),
      toCosts,
    ),
  }));
  return drawBars({
    title: 'Processor time for a webhook, by process',
    unit: 'µs',
    series: seriesOf(panels),
    columns: 2,
    hasCommonScale: true,
    panels: filled(panels),
    notes: notesOf(cells),
  });
}

const AXES: [axis: GrowthCell['axis'], title: string, unit: string][] = [
  ['tasks', 'more tasks', ''],
  ['kilobytes', 'larger bodies', ' KB'],
  ['workflows', 'more workflows', ''],
];

/** What a webhook costs as tasks, bodies and workflows grow. */
export function drawGrowth(cells: readonly Cell<GrowthCell>[]): string {
  const panels = AXES.map(([axis, title, unit]): Panel => ({
    title,
    groups: groupsOf(
      cells.filter(({ cell }) => cell.axis === axis),
      ({ value }) => value.toLocaleString('en') + unit,
      toCosts,
    ),
  }));
  return drawBars({
    title: 'Processor time for a webhook as its work grows (five tasks, 800 bytes, one workflow unless said)',
    unit: 'µs',
    series: seriesOf(panels),
    columns: 3,
    hasCommonScale: false,
    panels: filled(panels),
    notes: notesOf(cells),
  });
}

const groupsOf = <Name>(
  cells: readonly Cell<Name>[],
  labelOf: (cell: Name) => string,
  barOf: (compared: Compared) => Bar,
): Panel['groups'] =>
  cells.map(({ cell, systems }) => ({ label: labelOf(cell), bars: systems.map((system) => barOf(system)) }));

const toCosts = ({ system, median }: Compared): Bar => ({
  name: system,
  parts: Object.entries(median.microseconds).map(([series, value]) => ({ series, value })),
});

/** Patchbay and its processes have the first colours, whatever is beside them. */
const FIRST_OF_PEERS = 3;

function seriesOf(panels: readonly Panel[]): Series[] {
  const bars = panels.flatMap(({ groups }) => groups.flatMap((group) => group.bars));
  const names = [...new Set(bars.flatMap(({ parts }) => parts.map(({ series }) => series)))];
  const [peers, own] = [names.filter(isPeer), names.filter((name) => !isPeer(name))];
  return [
    ...own.map((name, color) => ({ name, color })),
    ...peers.map((name, index) => ({ name, color: FIRST_OF_PEERS + index })),
  ];
}

const isPeer = (name: string): boolean => name.startsWith('Node-RED');

/** Which bar is whose, where colours tell processes. */
function notesOf(cells: readonly Cell<unknown>[]): string[] {
  const systems = cells[0]?.systems.map(({ system }) => system) ?? [];
  return systems.length > 1 ? [PROCESSES, `From left to right: ${systems.join('; ')}.`] : [PROCESSES];
}

const filled = (panels: readonly Panel[]): Panel[] => panels.filter(({ groups }) => groups.length > 0);
