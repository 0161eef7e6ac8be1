// Finds the texts that the product shows or returns, by the syntax tree of its sources.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface ProductText {
  file: string;
  line: number;
  text: string;
}

const SOURCES = '{app,components,lib,server}/**/*.{ts,tsx,mjs}';
const SUPPORT = /\.test\.tsx?$|(^|\/)testing\//;
/** Attributes that no one reads. */
const SILENT_ATTRIBUTES = new Set(['className', 'id', 'href', 'key', 'type', 'name', 'role', 'd', 'viewBox']);

/** JSX text, attributes, labels, messages: every literal that is not an import, a type, a name of a field or a class. */
export function listProductTexts(root: string): ProductText[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !SUPPORT.test(file))
    .toSorted()
    .flatMap((file) => textsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** The texts of one source. */
export function textsOf(file: string, source: string): ProductText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: ProductText[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && /[a-z]/i.test(text)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({ file, line, text });
    }
    if (!isSilent(node)) ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isSilent(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  return ts.isJsxAttribute(node) && SILENT_ATTRIBUTES.has(node.name.getText());
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return node.text.replace(/\s+/g, ' ').trim();
  // Including its gaps, so that words on both sides of a value are not read as one.
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return undefined;
  const { parent } = node;
  const isName = ts.isPropertyAssignment(parent) && parent.name === node;
  return isName || ts.isElementAccessExpression(parent) ? undefined : node.text;
}
