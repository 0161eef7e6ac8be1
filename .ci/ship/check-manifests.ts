// Kubernetes manifests against the API's own schemas, like kubeconform: with the validators that kubernetes-models (MIT) has
// compiled from the OpenAPI document of Kubernetes, and strictly, without unknown fields, by the types made from the same
// document.
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const root = join(import.meta.dirname, '..', '..');
const isModel = (value: unknown): value is new (data: unknown) => { validate(): void } =>
  typeof value === 'function';
const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

/** @throws Error where the text is no YAML */
export const readManifests = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).map((document) => {
    if ('errors' in document && document.errors[0]) throw document.errors[0];
    return (document as { toJS(): unknown }).toJS() as Manifest;
  });

/** Problems of manifests, each with its kind and name. */
export async function checkManifests(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests) {
    const where = `${manifest.kind} ${manifest.metadata.name}`;
    // Beta APIs get removed, and the package still has removed ones.
    if (!/^([\w.]+\/)?v\d+$/.test(manifest.apiVersion))
      problems.push(`${where}: ${manifest.apiVersion} is not a stable version of the API`);
    const found = (await import(moduleOf(manifest)).catch(() => ({}))) as Record<string, unknown>;
    const model = found[manifest.kind];
    if (!isModel(model)) {
      problems.push(`${where}: ${manifest.apiVersion} has no such kind`);
      continue;
    }
    try {
      new model(manifest).validate();
    } catch (error) {
      problems.push(`${where}: ${(error as Error).message}`);
    }
  }
  return problems.length > 0 ? problems : findTypeErrors(manifests);
}

/** TypeScript's object literals only have the fields of their type. */
function findTypeErrors(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map(
    (manifest) =>
      `(${JSON.stringify(manifest)}) satisfies import('${moduleOf(manifest)}').I${manifest.kind};`,
  );
  const file = join(root, '.ci', 'ship', 'manifests-to-check.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const checked: ts.CompilerHost = {
    ...host,
    fileExists: (name) => name === file || host.fileExists(name),
    getSourceFile: (name, version, ...rest) =>
      name === file
        ? ts.createSourceFile(name, lines.join('\n'), version)
        : host.getSourceFile(name, version, ...rest),
  };
  const program = ts.createProgram([file], options, checked);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file: at }) => {
    const manifest = manifests[at?.getLineAndCharacterOfPosition(start).line ?? 0];
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${manifest?.kind ?? ''} ${manifest?.metadata.name ?? ''}: ${message}`;
  });
}
