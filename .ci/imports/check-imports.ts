// Part of the step "lint" of `npm test`: each import that a rule forbids is shown with what to do instead.
import { cruise, type ICruiseOptions, type IForbiddenRuleType, type IViolation } from 'dependency-cruiser';
import production from '../../.dependency-cruiser.mjs';
import { assertBrowserImports } from './browser.ts';
import tests from './tests.mjs';

const CHECKED = ['app', 'components', 'lib', 'server', 'sandbox', 'proxy.ts'];
const CIRCLES_SHOWN = 3;

/** @throws Error that lists the imports that are forbidden */
export async function assertImports(root: string): Promise<void> {
  const problems = [];
  for (const { forbidden = [], options } of [production, tests]) {
    const { output } = await cruise(CHECKED, {
      ...(options as ICruiseOptions),
      ruleSet: { forbidden },
      validate: true,
      baseDir: root,
    });
    if (typeof output === 'string') throw new Error('The imports could not be read.');
    problems.push(...describeViolations(output.summary.violations, forbidden));
  }
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
  await assertBrowserImports(root);
}

/**
 * One import in a wrong direction causes hundreds of cycles between folders: these are left out if there are other problems,
 * and only the shortest are shown.
 */
export function describeViolations(
  violations: readonly IViolation[],
  rules: readonly IForbiddenRuleType[],
): string[] {
  const ruleOf = ({ rule }: IViolation) => rules.find(({ name }) => name === rule.name);
  const isOfFolders = (violation: IViolation) => {
    const rule = ruleOf(violation);
    return rule !== undefined && 'scope' in rule && rule.scope === 'folder';
  };
  const others = violations.filter((violation) => !isOfFolders(violation));
  const circles = violations.toSorted((a, b) => (a.cycle?.length ?? 0) - (b.cycle?.length ?? 0));
  return (others.length > 0 ? others : circles.slice(0, CIRCLES_SHOWN)).map(
    (violation) => `${describeWay(violation)}\n    ${ruleOf(violation)?.comment} (${violation.rule.name})`,
  );
}

const describeWay = ({ from, to, cycle }: IViolation): string =>
  [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ');
