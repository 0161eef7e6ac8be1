import { useMemo } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { secretGroup, type VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { allowsSecrets, withSecretNames } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { usePanel } from './panel-context.tsx';

/** The variables for the field at a path, and where allowed the secrets of the workspace. */
export function useVariables(
  path: string,
): Readonly<{ groups: readonly VariableGroup[]; scope: VariableScope }> {
  const { task, groups, values } = usePanel();
  const secrets = useEditorState((state) => state.secrets);
  return useMemo(() => {
    const { scope } = values;
    const definition = findTaskDefinition(task.type);
    const names = secrets.map(({ name }) => name);
    if (names.length === 0 || !definition || !allowsSecrets(definition, path)) return { groups, scope };
    return { groups: [secretGroup(names), ...groups], scope: withSecretNames(scope, names) };
  }, [task.type, path, groups, values, secrets]);
}
