// Counts of what was tested.
import { namesOf } from './explore.ts';
import type { Played } from './play.ts';
import { describeStruck } from './point.ts';

export class Account {
  points = 0;
  pairs = 0;
  plays = 0;
  runs = 0;
  succeeded = 0;
  flagged = 0;
  /** Failed plays, each with the broken invariants. */
  readonly broken: string[] = [];
  /** Names of the points that were tested, by kind of fault. */
  readonly struck = new Set<string>();
  /** Names of the points to test. */
  readonly wanted = new Set<string>();
  /** Operations that were executed. */
  readonly operations = new Set<string>();

  add(played: Played): void {
    const { scenario, wanted, struck, passed, violations } = played;
    this.plays += 1;
    this.runs += played.runs;
    this.succeeded += played.succeeded;
    this.flagged += played.flagged;
    if (struck < wanted.length) this.missedPlans.push(`${scenario.name}: ${describeStruck(wanted)}`);
    else if (wanted.length === 1) this.points += 1;
    else if (wanted.length === 2) this.pairs += 1;
    namesOf(wanted).forEach((name, index) => {
      this.wanted.add(name);
      if (index < struck) this.struck.add(name);
    });
    for (const { kind, operation } of passed) this.operations.add(`${kind}: ${operation}`);
    if (violations.length > 0)
      this.broken.push(`${scenario.name}: ${describeStruck(wanted)}\n  ${violations.join('\n  ')}`);
  }

  /** Plans whose faults did not all happen, because the earlier part ran differently. */
  readonly missedPlans: string[] = [];

  /** Names of the points to test that were never reached. */
  get unreached(): string[] {
    return [...this.wanted].filter((name) => !this.struck.has(name));
  }

  describe(): string {
    return (
      `points ${this.points}, names ${this.struck.size}, pairs ${this.pairs}, missed ${this.missedPlans.length}, runs ${this.runs}, ` +
      `succeeded ${this.succeeded}, flagged ${this.flagged}, violations ${this.broken.length}`
    );
  }
}
