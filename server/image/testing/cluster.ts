// The pods of the Kubernetes manifests, as options of containers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ContainerOptions } from './container.ts';

interface Probe {
  httpGet: { path: string; port: string };
}
interface ContainerSpec {
  args: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: { readOnlyRootFilesystem: boolean };
  volumeMounts: { name: string; mountPath: string }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template?: { spec: { containers: [ContainerSpec]; terminationGracePeriodSeconds?: number } };
  };
}

export interface Pod {
  options: Omit<ContainerOptions, 'network' | 'hosts'>;
  probes: { path: string; port: number }[];
  graceSeconds: number;
  preStopSeconds: number;
}

/** @param secrets replace the example's values */
export function readCluster(folder: string, secrets: Record<string, string>): { podOf(name: string): Pod } {
  const manifests = readdirSync(folder).flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map(
      (document) => (document as { toJS(): unknown }).toJS() as Manifest,
    ),
  );
  const find = (kinds: string[], name: string | undefined): Manifest => {
    const found = manifests.find(({ kind, metadata }) => kinds.includes(kind) && metadata.name === name);
    if (!found) throw new Error(`No manifest of ${kinds.join(' or ')} ${name ?? ''}.`);
    return found;
  };
  const secretsOf = (name: string): Record<string, string> => {
    const example = find(['Secret'], name).stringData ?? {};
    const missing = Object.keys(secrets).filter((key) => !(key in example));
    if (missing.length > 0) throw new Error(`The example of a secret has no ${missing.join(', ')}.`);
    return { ...example, ...secrets };
  };
  return {
    podOf(name) {
      const spec = find(['Deployment', 'Job'], name).spec?.template?.spec;
      if (!spec) throw new Error(`${name} has no pods.`);
      const [container] = spec.containers;
      const environment = container.envFrom.map(({ configMapRef, secretRef }) =>
        secretRef ? secretsOf(secretRef.name) : (find(['ConfigMap'], configMapRef?.name).data ?? {}),
      );
      const portOf = (port: string): number =>
        container.ports?.find((given) => given.name === port)?.containerPort ?? 0;
      return {
        options: {
          args: container.args,
          environment: Object.assign({}, ...environment) as Record<string, string>,
          isReadOnly: container.securityContext.readOnlyRootFilesystem,
          tmpfs: container.volumeMounts.map(({ mountPath }) => mountPath),
        },
        probes: [container.readinessProbe, container.livenessProbe].flatMap((probe) =>
          probe ? [{ path: probe.httpGet.path, port: portOf(probe.httpGet.port) }] : [],
        ),
        graceSeconds: spec.terminationGracePeriodSeconds ?? 30,
        preStopSeconds: container.lifecycle?.preStop.sleep.seconds ?? 0,
      };
    },
  };
}
