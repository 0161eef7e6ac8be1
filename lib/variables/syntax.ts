// A parsed variable text: plain data for the interpreter, without code.
import type { JsonValue } from '#lib/core/json/value.ts';
import type { Helper } from './helpers.ts';
import type { ZoneOwner } from './task-names.ts';

/** A parsed variable text from `parseVariableText`; immutable and reusable. */
export interface VariableText {
  readonly text: string;
  readonly nodes: readonly VariableNode[];
}

export type VariableNode = TextNode | OutputNode | IfNode | EachNode | WithNode;

export interface TextNode {
  kind: 'text';
  text: string;
  /** The JSON context after this text, by the context before it (`JsonPlace` as index). */
  jsonPlaceAfter: readonly JsonPlace[];
}

export interface OutputNode {
  kind: 'output';
  expression: Expression;
  /** `{{json x}}`: the value's JSON, whatever the context. */
  asJson: boolean;
}

export interface IfNode {
  kind: 'if';
  condition: Expression;
  negated: boolean;
  body: readonly VariableNode[];
  otherwise: readonly VariableNode[];
}

export interface EachNode {
  kind: 'each';
  items: Expression;
  parameters: readonly string[];
  body: readonly VariableNode[];
  otherwise: readonly VariableNode[];
}

export interface WithNode {
  kind: 'with';
  value: Expression;
  parameters: readonly string[];
  body: readonly VariableNode[];
  otherwise: readonly VariableNode[];
}

export type Expression =
  | PathExpression
  | LoopDataExpression
  | LiteralExpression
  | ZoneExpression
  | CallExpression;

export interface PathExpression {
  kind: 'path';
  /** Number of `../` in front. */
  depth: number;
  /** `this.x` or `./x`: never a block parameter, never a name from outside the block. */
  scoped: boolean;
  /** `@root.x`: looked up outside all blocks. */
  fromRoot: boolean;
  segments: readonly string[];
  /** Characters from the start of the text. */
  offset: number;
}

export interface LoopDataExpression {
  kind: 'loop';
  name: 'index' | 'key' | 'first' | 'last';
  depth: number;
}

export interface LiteralExpression {
  kind: 'literal';
  value: JsonValue | undefined;
}

/** `zone="workspace"`: a time zone that the scope knows. */
export interface ZoneExpression {
  kind: 'zone';
  of: ZoneOwner;
}

export interface CallExpression {
  kind: 'call';
  helper: Helper;
  parameters: readonly Expression[];
}

/** Outside a JSON string literal, inside one, or inside one right after a backslash. */
export type JsonPlace = 0 | 1 | 2;
