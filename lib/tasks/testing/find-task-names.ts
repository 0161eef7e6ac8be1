// Finds the names of task types and of their settings in code for every type.
import { globSync, readFileSync } from 'node:fs';
import * as ts from 'typescript';
import * as z from 'zod';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';

export interface FoundName {
  file: string;
  name: string;
  line: number;
}

/**
 * Every place in files that names a task type, or a field of a type's settings:
 * - a string that is a type's name;
 * - a field that is read from something called `settings`;
 * - a string or a property that is called like a field, where the field's name has an underscore. Names of one word, such
 *   as `url`, mean other things too.
 */
export const findTaskNames = (root: string, patterns: readonly string[], leftOut: RegExp): FoundName[] =>
  globSync([...patterns], { cwd: root })
    .filter((file) => !leftOut.test(file))
    .sort()
    .flatMap((file) => findTaskNamesIn(file, readFileSync(`${root}/${file}`, 'utf8')));

/** The names in the text of one file. */
export function findTaskNamesIn(file: string, text: string): FoundName[] {
  const types = new Set(TASK_DEFINITIONS.keys());
  const fields = listFieldNames();
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundName[] = [];
  const visit = (node: ts.Node): void => {
    const name = nameOf(node);
    const isField = name !== undefined && fields.has(name);
    if (
      name !== undefined &&
      (isField ? name.includes('_') || isReadFromSettings(node) : isType(node, name))
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file, name, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  const isType = (node: ts.Node, name: string): boolean =>
    types.has(name) && (ts.isStringLiteralLike(node) || name.includes('_'));
  visit(source);
  return found;
}

/** The text of a string, or the name of a property where it is read, written or destructured. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return ts.isImportDeclaration(node.parent) ? undefined : node.text;
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node ? node.text : undefined;
  if (ts.isBindingElement(parent))
    return (parent.propertyName ?? parent.name) === node && ts.isObjectBindingPattern(parent.parent)
      ? node.text
      : undefined;
  const isKey = ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent);
  return isKey && parent.name === node ? node.text : undefined;
}

function isReadFromSettings(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return isSettings(parent.expression);
  if (ts.isElementAccessExpression(parent)) return isSettings(parent.expression);
  if (!ts.isBindingElement(parent)) return false;
  const owner = parent.parent.parent;
  if (ts.isVariableDeclaration(owner))
    return owner.initializer !== undefined && isSettings(owner.initializer);
  return ts.isBindingElement(owner) && (owner.propertyName ?? owner.name).getText() === 'settings';
}

function isSettings(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'settings';
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text === 'settings';
  if (ts.isBinaryExpression(expression)) return isSettings(expression.left);
  if (ts.isNonNullExpression(expression) || ts.isParenthesizedExpression(expression))
    return isSettings(expression.expression);
  return ts.isAsExpression(expression) && isSettings(expression.expression);
}

function listFieldNames(): Set<string> {
  const names = new Set<string>();
  for (const { settings } of TASK_DEFINITIONS.values()) collect(settings, names);
  return names;
}

function collect(schema: z.core.$ZodType, names: Set<string>): void {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      names.add(name);
      collect(field, names);
    }
  } else if (schema instanceof z.ZodArray) collect(schema.element, names);
  else if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    collect(schema.def.innerType, names);
}
