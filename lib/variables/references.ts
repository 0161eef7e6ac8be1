import { placeAt } from './errors.ts';
import type { Expression, PathExpression, VariableNode, VariableText } from './syntax.ts';

/** A name that a text looks up outside itself, for linting. */
export interface Reference {
  /** The first segment: `task_5_customer_name`, `task_5`, `$now`, `customer`. */
  name: string;
  /** The segments after it. */
  path: readonly string[];
  line: number;
  column: number;
  /** A missing value does no harm: it is in or inside a block (`{{#if}}` …), or has a `default`. */
  isGuarded: boolean;
  /** It is the tag's only content, not an argument of a helper or block. */
  isAlone: boolean;
}

type Add = (path: PathExpression, place: Pick<Reference, 'isGuarded' | 'isAlone'>) => void;

interface Block {
  /** Whether it has its own `this` (`each`, `with`). */
  parameters: readonly string[];
}

/** Every name a text looks up outside its own blocks, in the order of the text, repeated as often as it is used. */
export function listReferences(text: VariableText): Reference[] {
  const references: Reference[] = [];
  const add: Add = (path, place) => {
    const [name = '', ...rest] = path.segments;
    references.push({ name, path: rest, ...placeAt(text.text, path.offset), ...place });
  };
  for (const node of text.nodes) collect([node], [], add, node.kind !== 'output');
  return references;
}

function collect(
  nodes: readonly VariableNode[],
  blocks: readonly Block[],
  add: Add,
  isGuarded: boolean,
): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue;
    if (node.kind === 'output') {
      collectFrom(node.expression, blocks, add, { isGuarded, isAlone: !node.asJson });
      continue;
    }
    const subject = node.kind === 'if' ? node.condition : node.kind === 'each' ? node.items : node.value;
    collectFrom(subject, blocks, add, { isGuarded, isAlone: false });
    collect(
      node.body,
      node.kind === 'if' ? blocks : [...blocks, { parameters: node.parameters }],
      add,
      isGuarded,
    );
    collect(node.otherwise, blocks, add, isGuarded);
  }
}

function collectFrom(
  expression: Expression,
  blocks: readonly Block[],
  add: Add,
  place: Pick<Reference, 'isGuarded' | 'isAlone'>,
): void {
  if (expression.kind === 'call') {
    const isGuarded = place.isGuarded || expression.helper.name === 'default';
    for (const parameter of expression.parameters)
      collectFrom(parameter, blocks, add, { isGuarded, isAlone: false });
  } else if (expression.kind === 'path' && isFromOutside(expression, blocks)) add(expression, place);
}

function isFromOutside(path: PathExpression, blocks: readonly Block[]): boolean {
  const name = path.segments[0];
  if (name === undefined) return false;
  if (path.fromRoot || path.depth > 0) return path.fromRoot || path.depth === blocks.length;
  if (blocks.length === 0) return true;
  const isParameter = blocks.some((block) => block.parameters.includes(name));
  return !path.scoped && !isParameter && /^(?:\$|task_\d)/.test(name);
}
