import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkManifests, type Manifest, readManifests } from './check-manifests.ts';

const folder = join(import.meta.dirname, '..', '..', 'ops', 'kubernetes');
const yaml = readFileSync(join(folder, 'patchbay.yaml'), 'utf8');
const backup = readFileSync(join(folder, 'backup.yaml'), 'utf8');
const secret = readFileSync(join(folder, 'secret.yaml.example'), 'utf8');
const manifests = readManifests(`${yaml}\n---\n${backup}\n---\n${secret}`);

test('the manifests have the form of the Kubernetes API, without a field that it does not know', async () => {
  expect(manifests.map(({ kind }) => kind)).toContain('Deployment');
  expect(await checkManifests(manifests)).toEqual([]);
});

test.each([
  [
    'an unknown field',
    'readOnlyRootFilesystem: true',
    'readOnlyRootFileSystem: true',
    /readOnlyRootFileSystem/,
  ],
  ['an unknown field deep inside', 'periodSeconds: 2', 'everySeconds: 2', /everySeconds/],
  ['a wrong type', 'replicas: 2', "replicas: 'two'", /replicas/],
  ['a value that is not one of those', 'pathType: Prefix', 'pathType: 1', /pathType/],
  [
    'a missing field',
    'selector: { matchLabels: { app: patchbay, part: web } }\n  strategy',
    'strategy',
    /selector/,
  ],
  ['an unknown kind', 'kind: Deployment', 'kind: Deploy', /no such kind/],
  ['an old version of the API', 'policy/v1', 'policy/v1beta1', /not a stable version/],
])('%s is found', async (_, from, to, message) => {
  const planted = yaml.replaceAll(from, to);
  expect(planted).not.toBe(yaml);
  expect((await checkManifests(readManifests(planted))).join('\n')).toMatch(message);
});

interface Container {
  args?: string[];
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
}
interface Workload extends Manifest {
  spec: {
    selector?: { matchLabels: Record<string, string> };
    template: {
      metadata?: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        terminationGracePeriodSeconds?: number;
      };
    };
  };
}

interface Scheduled extends Manifest {
  spec: { concurrencyPolicy: string; jobTemplate: Workload };
}

const isScheduled = (manifest: Manifest): manifest is Scheduled => manifest.kind === 'CronJob';
const workloads: Workload[] = manifests.flatMap((manifest) => {
  if (isScheduled(manifest)) return [{ ...manifest, spec: manifest.spec.jobTemplate.spec }];
  return manifest.kind === 'Deployment' || manifest.kind === 'Job' ? [manifest as Workload] : [];
});
const names = (kind: string): string[] =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
  '%s',
  (_, { spec }) => {
    const { containers, volumes, securityContext } = spec.template.spec;

    test('names what is there: labels, settings, ports, volumes', () => {
      expect(spec.template.metadata?.labels).toEqual(spec.selector?.matchLabels);
      for (const { persistentVolumeClaim: claim } of volumes)
        if (claim) expect(names('PersistentVolumeClaim')).toContain(claim.claimName);
      for (const { envFrom, ports = [], readinessProbe, livenessProbe, volumeMounts } of containers) {
        for (const from of envFrom)
          if ('configMapRef' in from) expect(names('ConfigMap')).toContain(from.configMapRef.name);
          else expect(names('Secret')).toContain(from.secretRef.name);
        for (const probe of [readinessProbe, livenessProbe])
          if (probe) expect(ports.map(({ name }) => name)).toContain(probe.httpGet.port);
        for (const { name } of volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
      }
    });

    test('is ended for what it does itself, not for a database that is away', () => {
      // The port of metrics is open before the database answers (server/start-without-database.integration.test.ts).
      for (const { livenessProbe } of containers)
        if (livenessProbe) expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    });

    test('runs with no right that it does not need', () => {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      for (const { securityContext: own } of containers)
        expect(own).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
    });
  },
);

test('one backup at a time, into the volume of backups, of which some stay', () => {
  const scheduled = manifests.find(isScheduled);
  expect(scheduled?.spec.concurrencyPolicy).toBe('Forbid');
  const [container] = workloads.find(({ kind }) => kind === 'CronJob')?.spec.template.spec.containers ?? [];
  const [command, target] = container?.args ?? [];
  expect([command, container?.args]).toEqual(['backup', expect.arrayContaining(['--quiet', '--keep', '7'])]);
  expect(container?.volumeMounts).toContainEqual({ name: 'backups', mountPath: target });
});

test('services, budgets and scalers mean the web processes', () => {
  const web = workloads.find(({ metadata }) => metadata.name === 'patchbay-web');
  const labels = web?.spec.template.metadata?.labels;
  for (const { kind, spec } of manifests as (Manifest & { spec: Record<string, unknown> })[]) {
    if (kind === 'Service') expect(spec['selector']).toEqual(labels);
    if (kind === 'PodDisruptionBudget') expect(spec['selector']).toEqual({ matchLabels: labels });
    if (kind === 'HorizontalPodAutoscaler')
      expect(spec['scaleTargetRef']).toMatchObject({ name: web?.metadata.name, kind: 'Deployment' });
  }
});
