/**
 * Reports on policies: from their statuses in the clusters, and from meshctl, which reads the same objects from files.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { policyKinds } from '@meshrelay/api';
import { builtProgram } from '@meshrelay/programs';
import type { Kubectl } from './kubectl.ts';

/** Bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const POLICY_KINDS: ReadonlySet<string> = new Set(policyKinds);

/** Statuses by kind, cluster, namespace and name. */
export type Reported = Readonly<Record<string, unknown>>;

type Clusters = ReadonlyMap<string, Kubectl>;

interface Managed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly status?: Status;
}

interface Status {
  readonly conditions?: ReadonlyArray<{ readonly type: string; readonly lastTransitionTime?: string }>;
  readonly [field: string]: unknown;
}

/** The output of meshctl, with all of its input from files. */
export async function meshctl(args: readonly string[]): Promise<string> {
  const [file, ...rest] = [process.execPath, builtProgram('meshctl'), ...args];
  try {
    return (await promisify(execFile)(file, rest, { maxBuffer: MAX_OUTPUT })).stdout;
  } catch (error) {
    const { code, stdout } = error as { readonly code?: unknown; readonly stdout?: string };
    // Some policy is not accepted.
    if (code === 2 && stdout !== undefined) return stdout;
    throw error;
  }
}

/** Options that name files with all objects that agents read in each cluster. */
export async function filesOf(workloads: Clusters): Promise<string[]> {
  const options: string[] = [];
  for (const [name, kubectl] of workloads) {
    const osmKinds = name === 'cluster-3' ? ',meshconfigs,meshrootcertificates' : '';
    const native = await kubectl.run(`get deploy,rs,pod,svc,node,cm,endpointslice${osmKinds} -A -o json`);
    const { items } = JSON.parse(native) as { readonly items: readonly object[] };
    const objects = { apiVersion: 'v1', kind: 'List', items: [...items, ...(await policiesIn(kubectl))] };
    options.push('--cluster', `${name}=${kubectl.file(`${name}.json`, objects)}`);
  }
  return options;
}

/** meshctl's evaluation of the existing policies, with the server's decisions. */
export async function reportedOffline(management: Kubectl, workloads: Clusters, folder: string): Promise<Reported> {
  const all = await managedIn(management);
  const of = (name: string, isOne: (object: Managed) => boolean): string =>
    management.file(name, { apiVersion: 'v1', kind: 'List', items: all.filter(isOne) });
  const config = of('config.json', ({ kind }) => POLICY_KINDS.has(kind) || kind === 'KubernetesCluster');
  const ledger = of('ledger.json', ({ kind }) => kind === 'Ledger');
  const files = ['--config', config, '--ledger', ledger, ...(await filesOf(workloads))];
  await meshctl(['translate', ...files, '--out', folder]);
  const { policies } = JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')) as {
    readonly policies: ReadonlyArray<Status & { kind: string; cluster: string; namespace: string; name: string }>;
  };
  return Object.fromEntries(
    policies.map(({ kind, cluster, namespace, name, ...status }) => [
      idOf(kind, cluster, namespace, name),
      comparable(status),
    ]),
  );
}

/** The policies' own statuses, in all clusters. */
export async function reportedOnClusters(management: Kubectl, workloads: Clusters): Promise<Reported> {
  const reported: Record<string, unknown> = {};
  for (const [cluster, kubectl] of [['', management] as const, ...workloads])
    for (const { kind, metadata, status = {} } of await policiesIn(kubectl))
      reported[idOf(kind, cluster, metadata.namespace, metadata.name)] = comparable(status);
  return reported;
}

/** Formats the differences. */
export function differences(online: Reported, offline: Reported): readonly string[] {
  const names = [...new Set([...Object.keys(online), ...Object.keys(offline)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [JSON.stringify(sorted(online[name])), JSON.stringify(sorted(offline[name]))];
    return one === other ? [] : [`${name}\n on the cluster ${one}\n offline ${other}`];
  });
}

function idOf(kind: string, cluster: string, namespace: string, name: string): string {
  return `${kind} ${cluster === '' ? 'management' : cluster} ${namespace}/${name}`;
}

/**
 * The status without two parts that files do not contain: the transition times of conditions, and whether the policy's
 * outputs are applied, which agents report.
 */
function comparable({ conditions = [], ...status }: Status): Status {
  const known = conditions.filter(({ type }) => type !== 'Applied');
  const untimed = known.map(({ lastTransitionTime: _time, ...condition }) => condition);
  return JSON.parse(JSON.stringify({ ...status, conditions: untimed })) as Status;
}

async function policiesIn(kubectl: Kubectl): Promise<readonly Managed[]> {
  return (await managedIn(kubectl)).filter(({ kind }) => POLICY_KINDS.has(kind));
}

/** Objects of Meshrelay's kinds. */
async function managedIn(kubectl: Kubectl): Promise<readonly Managed[]> {
  const names = (await kubectl.run('api-resources -o name')).split('\n');
  const own = names.filter((name) => name.endsWith('.meshrelay.dev'));
  if (own.length === 0) return [];
  return (JSON.parse(await kubectl.run(`get ${own.join(',')} -A -o json`)) as { readonly items: readonly Managed[] })
    .items;
}

/** With sorted fields. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
