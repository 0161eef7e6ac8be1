import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { VariableBudgetError } from './errors.ts';
import {
  AFTER_BACKSLASH,
  type Escape,
  escapeJsonString,
  escapeUrl,
  escapeXml,
  IN_STRING,
  OUTSIDE,
} from './escape.ts';
import { isEmpty, isTrue, lookUp, lookUpPath } from './values.ts';
import type { VariableScope } from './scope.ts';
import type {
  EachNode,
  Expression,
  JsonPlace,
  LoopDataExpression,
  PathExpression,
  VariableNode,
  VariableText,
} from './syntax.ts';
import { ZONES_NAME } from './task-names.ts';
import { toText } from './to-text.ts';

export interface RenderLimits {
  /** Values written, blocks entered and rounds of `each`, together with the work of helpers. */
  steps?: number;
  outputCharacters?: number;
}

const DEFAULT_STEPS = 250_000;
const DEFAULT_OUTPUT_CHARACTERS = 1024 * 1024;
/** A helper's work is counted by its text: one step per this many characters. */
const CHARACTERS_PER_STEP = 64;
/** Names with the same meaning everywhere; all others belong to the element inside `each` and `with`. */
const GLOBAL_NAME = /^(?:\$|task_\d)/;

/**
 * Fills in a text. Values are escaped by place (docs/variables.md): `json` inside a string literal as its content, outside
 * as a JSON value; `url` not at all when the whole text is one variable. Throws `VariableBudgetError`.
 */
export function renderText(
  text: VariableText,
  scope: VariableScope,
  escape: Escape,
  limits: RenderLimits = {},
): string {
  const isOneVariable = text.nodes.length === 1 && text.nodes[0]?.kind === 'output';
  const run = new Interpreter(scope, escape === 'url' && isOneVariable ? 'none' : escape, limits);
  run.renderNodes(text.nodes);
  return run.output;
}

/**
 * The value of a text that is exactly one variable, with its type (undefined: nothing found); of any other text the
 * filled-in string, unescaped. Throws `VariableBudgetError`.
 */
export function evaluateText(
  text: VariableText,
  scope: VariableScope,
  limits: RenderLimits = {},
): JsonValue | undefined {
  const [node, ...others] = text.nodes;
  if (node?.kind !== 'output' || others.length > 0 || node.asJson)
    return renderText(text, scope, 'none', limits);
  return new Interpreter(scope, 'none', limits).evaluate(node.expression);
}

interface Loop {
  index: number;
  key: string | number;
  first: boolean;
  last: boolean;
}

/** What `each` and `with` put around their body. */
interface Frame {
  value: JsonValue | undefined;
  parent: Frame | null;
  loop: Loop | null;
  parameters: readonly string[];
}

class Interpreter {
  output = '';
  readonly #scope: VariableScope;
  readonly #escape: Escape;
  readonly #maxCharacters: number;
  #stepsLeft: number;
  #place: JsonPlace = OUTSIDE;
  #frame: Frame | null = null;

  constructor(scope: VariableScope, escape: Escape, limits: RenderLimits) {
    this.#scope = scope;
    this.#escape = escape;
    this.#stepsLeft = limits.steps ?? DEFAULT_STEPS;
    this.#maxCharacters = limits.outputCharacters ?? DEFAULT_OUTPUT_CHARACTERS;
  }

  renderNodes(nodes: readonly VariableNode[]): void {
    for (const node of nodes) this.#renderNode(node);
  }

  evaluate(expression: Expression): JsonValue | undefined {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'path':
        return this.#evaluatePath(expression);
      case 'loop':
        return this.#evaluateLoop(expression);
      case 'zone':
        return lookUp(this.#scope.resolve(ZONES_NAME), expression.of);
      case 'call': {
        const values = expression.parameters.map((each) => this.evaluate(each));
        for (const value of values) this.#spendOn(value);
        const result = expression.helper.apply(values);
        this.#spendOn(result);
        return result;
      }
    }
  }

  #renderNode(node: VariableNode): void {
    this.#spend(1);
    switch (node.kind) {
      case 'text':
        this.output += node.text;
        this.#place = node.jsonPlaceAfter[this.#place] ?? OUTSIDE;
        this.#assertOutput();
        return;
      case 'output':
        this.#write(this.evaluate(node.expression), node.asJson);
        return;
      case 'if':
        this.renderNodes(isTrue(this.evaluate(node.condition)) === node.negated ? node.otherwise : node.body);
        return;
      case 'each':
        this.#renderEach(node);
        return;
      case 'with': {
        const value = this.evaluate(node.value);
        if (isEmpty(value)) this.renderNodes(node.otherwise);
        else
          this.#renderIn({ value, parent: this.#frame, loop: null, parameters: node.parameters }, node.body);
      }
    }
  }

  #renderEach(node: EachNode): void {
    const items = this.evaluate(node.items);
    const keys = Array.isArray(items) ? null : isJsonObject(items) ? Object.keys(items) : [];
    if (keys !== null) this.#spend(keys.length);
    const count = keys === null ? (items as JsonValue[]).length : keys.length;
    if (count === 0) return this.renderNodes(node.otherwise);
    const parent = this.#frame;
    for (let index = 0; index < count; index++) {
      this.#spend(1);
      const key = keys?.[index] ?? index;
      const value = (items as Record<string | number, JsonValue>)[key];
      const loop = { index, key, first: index === 0, last: index === count - 1 };
      this.#renderIn({ value, parent, loop, parameters: node.parameters }, node.body);
    }
  }

  #renderIn(frame: Frame, body: readonly VariableNode[]): void {
    this.#frame = frame;
    this.renderNodes(body);
    this.#frame = frame.parent;
  }

  #evaluatePath({ segments, depth, scoped, fromRoot }: PathExpression): JsonValue | undefined {
    if (segments.length > 1) this.#spend(segments.length - 1);
    const name = segments[0];
    let frame = fromRoot ? null : this.#frame;
    const isPlainName = depth === 0 && !scoped && name !== undefined;
    if (isPlainName && frame !== null) {
      const owner = findParameter(frame, name);
      if (owner !== null) return lookUpPath(owner.value, segments, 1);
    }
    for (let level = 0; level < depth; level++) {
      if (frame === null) return undefined;
      frame = frame.parent;
    }
    if (name === undefined) return frame?.value;
    if (frame === null) return lookUpPath(this.#scope.resolve(name), segments, 1);
    const own = lookUp(frame.value, name);
    const isGlobal = own === undefined && isPlainName && GLOBAL_NAME.test(name);
    return lookUpPath(isGlobal ? this.#scope.resolve(name) : own, segments, 1);
  }

  #evaluateLoop({ name, depth }: LoopDataExpression): JsonValue | undefined {
    let frame = this.#frame;
    let level = 0;
    while (frame !== null && (frame.loop === null || level++ < depth)) frame = frame.parent;
    return frame?.loop?.[name];
  }

  #write(value: JsonValue | undefined, asJson: boolean): void {
    if (this.#escape === 'json') this.#writeInJson(value, asJson);
    else {
      const text = asJson ? stringifyJson(value ?? null) : toText(value);
      if (asJson || typeof value === 'object') this.#spend(text.length / CHARACTERS_PER_STEP);
      if (this.#escape === 'none') this.output += text;
      else this.output += this.#escape === 'xml' ? escapeXml(text) : escapeUrl(text);
    }
    this.#assertOutput();
  }

  #writeInJson(value: JsonValue | undefined, asJson: boolean): void {
    if (this.#place === OUTSIDE) {
      this.output += stringifyJson(value ?? null);
      return;
    }
    // Handlebars takes one of two backslashes before {{: inside JSON it has to be there twice again.
    if (this.#place === AFTER_BACKSLASH) this.output += '\\';
    this.#place = IN_STRING;
    this.output += escapeJsonString(asJson ? stringifyJson(value ?? null) : toText(value));
  }

  #spendOn(value: JsonValue | undefined): void {
    if (typeof value === 'string') this.#spend(1 + value.length / CHARACTERS_PER_STEP);
    else if (Array.isArray(value)) this.#spend(1 + value.length);
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) {
      throw new VariableBudgetError('Filling in this text takes too many steps: loop over fewer elements');
    }
  }

  #assertOutput(): void {
    if (this.output.length <= this.#maxCharacters) return;
    throw new VariableBudgetError(
      `The filled-in text is longer than ${this.#maxCharacters} characters: use fewer or smaller values`,
    );
  }
}

function findParameter(frame: Frame, name: string): { value: JsonValue | undefined } | null {
  for (let each: Frame | null = frame; each !== null; each = each.parent) {
    const position = each.parameters.indexOf(name);
    if (position === 0) return each;
    if (position === 1) return { value: each.loop?.key };
  }
  return null;
}
