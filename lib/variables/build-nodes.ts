// Turns Handlebars' syntax tree into our own and refuses all of Handlebars that is not a variable text (docs/variables.md).
import { jsonPlaceAfter } from './escape.ts';
import { placeAt, VariableSyntaxError } from './errors.ts';
import { findHelper, type Helper, HELPERS } from './helpers.ts';
import { ZONE_OWNERS, type ZoneOwner } from './task-names.ts';
import { toText } from './to-text.ts';
import type { Expression, LoopDataExpression, VariableNode } from './syntax.ts';
import type { TokenizedText } from './read-tag.ts';

interface Source {
  text: string;
  tokens: TokenizedText;
  keepPlaceholders: boolean;
}

const MAX_SEGMENT_CHARACTERS = 1_000;
const LOOP_DATA: readonly string[] = ['index', 'key', 'first', 'last'] satisfies LoopDataExpression['name'][];

/** Throws `VariableSyntaxError` at the first thing that is not allowed. */
export function buildNodes(program: hbs.AST.Program | undefined, source: Source): VariableNode[] {
  const nodes: VariableNode[] = [];
  let pending: string[] = [];
  const flush = (): void => {
    const text = pending.join('');
    if (text !== '') nodes.push(textNode(text));
    pending = [];
  };
  for (const statement of program?.body ?? []) {
    const built = buildNode(statement, source);
    if (typeof built === 'string') {
      pending.push(built);
    } else {
      flush();
      nodes.push(built);
    }
  }
  flush();
  return nodes;
}

/** A string is plain text, to be joined with the text around it. */
function buildNode(statement: hbs.AST.Statement, source: Source): VariableNode | string {
  switch (statement.type) {
    case 'ContentStatement':
      return (statement as hbs.AST.ContentStatement).value;
    case 'CommentStatement':
      return '';
    case 'MustacheStatement':
      return (
        findPlaceholder(statement as hbs.AST.MustacheStatement, source) ?? buildOutput(statement, source)
      );
    case 'BlockStatement':
      return buildBlock(statement as hbs.AST.BlockStatement, source);
    default:
      throw fail(statement, source, 'partials and decorators are not supported: remove them');
  }
}

function textNode(text: string): VariableNode {
  return {
    kind: 'text',
    text,
    jsonPlaceAfter: [jsonPlaceAfter(text, 0), jsonPlaceAfter(text, 1), jsonPlaceAfter(text, 2)],
  };
}

/** `{{1}}` as it was written, when the text keeps the platform's placeholders. */
function findPlaceholder(statement: hbs.AST.MustacheStatement, source: Source): string | undefined {
  if (!source.keepPlaceholders || statement.path.type !== 'NumberLiteral') return undefined;
  const placeholder = /\{\{\s*\d+\s*\}\}/y;
  placeholder.lastIndex = offsetOf(statement, source);
  return placeholder.exec(source.text)?.[0];
}

function buildOutput(node: hbs.AST.Statement, source: Source): VariableNode {
  const statement = node as hbs.AST.MustacheStatement;
  const hasParameters = statement.params.length > 0 || statement.hash !== undefined;
  const expression = hasParameters ? buildCall(statement, source) : buildName(statement.path, source);
  const asJson = expression.kind === 'call' && expression.helper.name === 'json';
  const json = asJson ? expression.parameters[0] : undefined;
  return { kind: 'output', expression: json ?? expression, asJson };
}

function buildBlock(block: hbs.AST.BlockStatement, source: Source): VariableNode {
  const { original: name } = block.path;
  const [subject] = block.params;
  if (subject === undefined || block.params.length > 1 || block.hash !== undefined) {
    throw fail(block, source, `{{#${name}}} takes exactly one value, as in {{#${name} customer}}`);
  }
  const value = buildExpression(subject, source);
  // An inverse block ({{^if x}}) has no program.
  const program = block.program as hbs.AST.Program | undefined;
  const body = buildNodes(program, source);
  const otherwise = buildNodes(block.inverse, source);
  const parameters = program?.blockParams ?? [];
  const allowed = name === 'each' ? 2 : name === 'with' ? 1 : 0;
  if (parameters.length > allowed) {
    throw fail(block, source, `{{#${name}}} gives at most ${allowed} names after "as": remove the others`);
  }
  switch (name) {
    case 'if':
    case 'unless':
      return { kind: 'if', condition: value, negated: name === 'unless', body, otherwise };
    case 'each':
      return { kind: 'each', items: value, parameters, body, otherwise };
    case 'with':
      return { kind: 'with', value, parameters, body, otherwise };
    default:
      throw fail(
        block,
        source,
        `unknown block "${name}": there are {{#if}}, {{#unless}}, {{#each}} and {{#with}}`,
      );
  }
}

function buildExpression(node: hbs.AST.Expression, source: Source): Expression {
  switch (node.type) {
    case 'PathExpression':
      return buildPath(node as hbs.AST.PathExpression, source);
    case 'SubExpression':
      return buildCall(node as hbs.AST.SubExpression, source);
    case 'StringLiteral':
      return { kind: 'literal', value: source.tokens.strings[Number((node as hbs.AST.StringLiteral).value)] };
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return { kind: 'literal', value: (node as hbs.AST.NumberLiteral | hbs.AST.BooleanLiteral).value };
    case 'NullLiteral':
      return { kind: 'literal', value: null };
    default:
      return { kind: 'literal', value: undefined };
  }
}

/** The only thing in a tag: as in Handlebars a literal there (`{{12}}`, `{{"my field"}}`) is a field's name. */
function buildName(node: hbs.AST.Expression, source: Source): Expression {
  if (node.type === 'PathExpression') return buildPath(node as hbs.AST.PathExpression, source);
  if (node.type === 'SubExpression') return buildCall(node as hbs.AST.SubExpression, source);
  const name =
    node.type === 'StringLiteral'
      ? source.tokens.strings[Number((node as hbs.AST.StringLiteral).value)]
      : String((node as hbs.AST.NumberLiteral).original);
  const segments = [name ?? ''];
  return { kind: 'path', depth: 0, scoped: false, fromRoot: false, segments, offset: offsetOf(node, source) };
}

function buildCall(node: hbs.AST.MustacheStatement | hbs.AST.SubExpression, source: Source): Expression {
  const path = node.path as hbs.AST.PathExpression;
  const isName = path.type === 'PathExpression' && !path.data && path.depth === 0 && path.parts.length === 1;
  const name = isName ? path.original : '';
  const helper = findHelper(name);
  if (helper === undefined) {
    const known = HELPERS.map((each) => each.name).join(', ');
    const first = isName ? `unknown helper "${name}"` : 'a helper was expected before the values';
    throw fail(node, source, `${first}: there are ${known}; a field with a space is written {{[my field]}}`);
  }
  if (node.params.length < helper.minimum || node.params.length > helper.maximum) {
    throw fail(
      node,
      source,
      `"${name}" was given ${node.params.length} values: write {{${helper.signature}}}`,
    );
  }
  const parameters = node.params.map((each) => buildExpression(each, source));
  if (node.hash === undefined) return { kind: 'call', helper, parameters };
  const left = Array.from({ length: helper.maximum - parameters.length }, () => NOTHING);
  return { kind: 'call', helper, parameters: [...parameters, ...left, ...buildNamed(node, helper, source)] };
}

const NOTHING: Expression = { kind: 'literal', value: undefined };

/** The values of a helper that have names, in its order. */
function buildNamed(
  node: hbs.AST.MustacheStatement | hbs.AST.SubExpression,
  helper: Helper,
  source: Source,
): Expression[] {
  const { named = [] } = helper;
  if (named.length === 0)
    throw fail(node, source, `values with names (x=y) are not supported: write {{${helper.signature}}}`);
  const pairs = new Map(node.hash.pairs.map(({ key, value }) => [key, value]));
  for (const key of pairs.keys()) {
    if (named.some(({ name }) => name === key)) continue;
    throw fail(node, source, `"${helper.name}" has no value "${key}": write {{${helper.signature}}}`);
  }
  return named.map(({ name, findProblem, isZone }) => {
    const value = pairs.get(name);
    if (value === undefined) return NOTHING;
    const expression = buildExpression(value, source);
    const owner = isZone === true ? findZoneOwner(expression) : undefined;
    if (owner) return { kind: 'zone', of: owner };
    const problem = expression.kind === 'literal' ? findProblem(toText(expression.value)) : undefined;
    if (problem !== undefined) throw fail(node, source, problem);
    return expression;
  });
}

const findZoneOwner = (expression: Expression): ZoneOwner | undefined =>
  expression.kind === 'literal' ? ZONE_OWNERS.find((owner) => owner === expression.value) : undefined;

function buildPath(node: hbs.AST.PathExpression, source: Source): Expression {
  const segments = node.parts.map((part) => {
    const segment = /^#\d+$/.test(part) ? (source.tokens.segments[Number(part.slice(1))] ?? '') : part;
    if (segment.length <= MAX_SEGMENT_CHARACTERS) return segment;
    throw fail(node, source, `a name may have at most ${MAX_SEGMENT_CHARACTERS} characters`);
  });
  const offset = offsetOf(node, source);
  if (!node.data) {
    const scoped = node.original.startsWith('./') || isThis(node);
    return { kind: 'path', depth: node.depth, scoped, fromRoot: false, segments, offset };
  }
  const [name = '', ...rest] = segments;
  if (name === 'root' && node.depth === 0) {
    return { kind: 'path', depth: 0, scoped: false, fromRoot: true, segments: rest, offset };
  }
  if (!LOOP_DATA.includes(name) || rest.length > 0) {
    throw fail(node, source, `unknown name "@${name}": there are @index, @key, @first, @last and @root`);
  }
  return { kind: 'loop', name: name as LoopDataExpression['name'], depth: node.depth };
}

function isThis(node: hbs.AST.PathExpression): boolean {
  return /^this(?:[./]|$)/.test(node.original) && node.parts[0] !== 'this';
}

function offsetOf(node: hbs.AST.Node, source: Source): number {
  return source.tokens.offsetOf(node.loc.start.line, node.loc.start.column);
}

function fail(node: hbs.AST.Node, source: Source, message: string): VariableSyntaxError {
  return new VariableSyntaxError(message, placeAt(source.text, offsetOf(node, source)));
}
