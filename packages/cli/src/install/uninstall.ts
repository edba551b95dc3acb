/** Uninstalls the server or an agent. */
import { isKubeError, meshrelayKind, secretKind } from '@meshrelay/kube';
import { AGENT_SECRETS, DEPLOYMENT, OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import { CRD, LEASE, NAMESPACE } from '../online/kinds.ts';
import { counted } from '../output/counted.ts';
import { shellLine } from '../output/shell-line.ts';
import { InputError } from '../problem.ts';
import { type Chart, COMPONENTS, chartOf, crdsOf } from './chart.ts';
import { deleteCrds } from './delete-crds.ts';
import { clusterFlags, type HelmRelease, helm, releases } from './helm.ts';
import { leftBehind } from './left-behind.ts';
import { isByMeshctl } from './namespace.ts';
import { RELEASE_NAME } from './preflight.ts';
import type { Progress } from './progress.ts';
import { objectsIn } from './rendered.ts';
import { describeTarget, type Target } from './target.ts';

export interface UninstallPlan extends Progress {
  readonly chart: Chart;
  readonly target: Target;
  /** Options that reach the same cluster, for the commands that are printed. */
  readonly clusterOptions: readonly string[];
  /** Whether CRDs go, and with them all objects of these kinds. */
  readonly crds: boolean;
  /** Whether also Secrets and Leases that the program made go, and the namespace if meshctl created it. */
  readonly purge: boolean;
  /** Milliseconds to wait until everything is gone. */
  readonly timeout: number;
  /** Called before any change, with a description of the changes. Rejects to prevent them. */
  readonly confirm: (lines: readonly string[]) => Promise<void>;
}

const DEFAULT_NAMESPACE = 'meshrelay';
/** Objects that the programs create in their namespace; Helm does not know them. */
const BY_PROGRAMS = /^(relay|meshrelay)-/;

/** What a plan removes in addition to the objects of the chart. */
interface Extras {
  readonly crds: readonly string[];
  readonly secrets: readonly string[];
  readonly leases: readonly string[];
  readonly namespace: boolean;
  /** Whether the namespace is gone, or is being deleted already. */
  readonly namespaceGone: boolean;
}

/**
 * @returns lines about what is left in the cluster, with the commands that delete it
 * @throws InputError
 */
export async function uninstallChart(plan: UninstallPlan): Promise<readonly string[]> {
  const { chart, target, step, purge } = plan;
  const all = await releases(target);
  const release = all.find((one) => one.namespace === target.namespace && one.name === chart.name);
  // A second run completes a purge that was interrupted.
  if (release === undefined && !purge)
    throw new InputError(
      `namespace ${target.namespace} of context ${target.context} has no release ${chart.name}; helm list -A shows all; --purge removes what an earlier one has left`,
    );
  if (release === undefined) await refuseRunning(chart, target);
  const others = otherReleases(chart, all, target);
  const extras = await extrasOf(plan, others);
  const manifest = release === undefined ? '' : await helm(['get', 'manifest', chart.name, ...clusterFlags(target)]);
  if (release === undefined && isEmpty(extras)) step(`nothing of the ${chart.component} is installed`);
  else await plan.confirm(await effects(plan, manifest, extras));
  if (release !== undefined) {
    await helm(['uninstall', chart.name, ...clusterFlags(target), '--wait', '--timeout', `${plan.timeout}ms`]);
    step(`release ${target.namespace}/${chart.name} uninstalled`);
  }
  await removeExtras(plan, extras);
  return left(plan, others, extras);
}

/**
 * A program that runs creates its Secrets again.
 * @throws InputError
 */
async function refuseRunning({ deployment: name }: Chart, { connection, namespace }: Target): Promise<void> {
  if ((await connection.objects(DEPLOYMENT).read({ namespace, name })) === undefined) return;
  throw new InputError(
    `Deployment ${namespace}/${name} is there, and no release of Helm has it; delete it first by what applied it, such as Argo CD or kubectl: while it runs, it creates its Secrets again`,
  );
}

function isEmpty({ crds, secrets, leases, namespace }: Extras): boolean {
  return crds.length === 0 && secrets.length === 0 && leases.length === 0 && !namespace;
}

async function left(plan: UninstallPlan, others: readonly HelmRelease[], extras: Extras): Promise<readonly string[]> {
  const { chart, target, clusterOptions } = plan;
  const { connection, namespace } = target;
  const found = await leftBehind({
    connection,
    component: chart.component,
    clusterOptions,
    deletedCrds: extras.crds,
    ...(extras.namespace || extras.namespaceGone ? { deletedNamespace: namespace } : {}),
  });
  const lines = [...found, ...retained(plan, others, extras)];
  return lines.length === 0
    ? [`nothing of the ${chart.component} is left in ${describeTarget(target)}`]
    : [`left in ${describeTarget(target)}, and how to delete it:`, ...lines];
}

/** What stays without --purge, and a namespace that meshctl did not create. */
function retained(
  { chart, target, clusterOptions, purge }: UninstallPlan,
  others: readonly HelmRelease[],
  extras: Extras,
): readonly string[] {
  const { namespace } = target;
  // Another release needs the CRDs, and may be in the namespace.
  if (others.length > 0) return [];
  if (!purge) {
    const named = namespace === DEFAULT_NAMESPACE ? [] : ['--namespace', namespace];
    return [
      '  CRDs with all policies and registrations, Secrets with keys, and Leases:',
      `    ${shellLine(['meshctl', 'uninstall', chart.component, ...clusterOptions, ...named, '--purge'])}`,
    ];
  }
  if (extras.namespace || extras.namespaceGone) return [];
  return [
    `  namespace ${namespace}, which meshctl did not create:`,
    `    ${shellLine(['kubectl', ...clusterOptions, 'delete', 'namespace', namespace])}`,
  ];
}

/** Releases of the charts in this cluster, except the one to remove. */
function otherReleases({ name }: Chart, all: readonly HelmRelease[], { namespace }: Target): readonly HelmRelease[] {
  const charts = COMPONENTS.map((component) => chartOf(component).name);
  return all.filter(
    (one) => (one.namespace !== namespace || one.name !== name) && charts.some((of) => one.chart.startsWith(`${of}-`)),
  );
}

/** @throws InputError if another release needs what the plan removes */
async function extrasOf(
  { chart, target, crds, purge }: UninstallPlan,
  others: readonly HelmRelease[],
): Promise<Extras> {
  const { connection, namespace } = target;
  if (crds || purge) await refuseManagementCluster(chart, target);
  const needing = others[0];
  if ((crds || purge) && needing !== undefined)
    throw new InputError(
      `release ${needing.namespace}/${needing.name} in this cluster needs the CRDs; uninstall it first, or this one without ${purge ? '--purge' : '--crds'}`,
    );
  const found = await connection.objects(NAMESPACE).read({ name: namespace });
  const place = found?.metadata.deletionTimestamp === undefined ? found : undefined;
  const present = new Set((await connection.objects(CRD).list()).map(({ metadata }) => metadata.name));
  return {
    crds: crds || purge ? crdsOf(chart).flatMap(({ name }) => (present.has(name) ? [name] : [])) : [],
    secrets: purge ? await byPrograms(target, secretKind) : [],
    leases: purge ? await byPrograms(target, LEASE) : [],
    namespace: purge && place !== undefined && isByMeshctl(place),
    namespaceGone: place === undefined,
  };
}

/**
 * In a management cluster the same Secrets and CRDs are those of the server, also if Helm did not install it.
 * @throws InputError
 */
async function refuseManagementCluster({ component }: Chart, target: Target): Promise<void> {
  if (component !== 'agent') return;
  const clusters = await registered(target.connection, target.namespace);
  if (clusters.length === 0) return;
  throw new InputError(
    `${describeTarget(target)} is a management cluster: it has the KubernetesClusters ${clusters.join(', ')}, so its CRDs and Secrets are those of the server; give the context of the workload cluster, or uninstall the agent without --purge and --crds`,
  );
}

async function byPrograms({ connection, namespace }: Target, kind: ResourceKind): Promise<readonly string[]> {
  const objects = await connection.objects(kind).list({ namespace });
  return objects
    .filter(
      ({ metadata: { name, labels = {}, annotations = {} } }) =>
        annotations[RELEASE_NAME] === undefined &&
        (labels[OWNER_LABEL] === namespace || BY_PROGRAMS.test(name) || AGENT_SECRETS.includes(name)),
    )
    .map(({ metadata }) => metadata.name);
}

/** Describes the changes for the confirmation. */
async function effects({ chart, target, crds, purge }: UninstallPlan, manifest: string, extras: Extras) {
  const { namespace } = target;
  const objects = objectsIn(manifest).filter(({ kind }) => kind !== 'CustomResourceDefinition');
  const removed = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return [
    `This uninstalls the ${chart.component} in namespace ${namespace} of ${describeTarget(target)}:`,
    ...(removed.length === 0 ? [] : [`  - deleted: ${removed.join(', ')}`]),
    ...(extras.secrets.length === 0
      ? []
      : [`  - deleted, with keys that cannot be made again: Secrets ${extras.secrets.join(', ')}`]),
    ...(extras.leases.length === 0 ? [] : [`  - deleted: Leases ${extras.leases.join(', ')}`]),
    ...(extras.namespace ? [`  - deleted: namespace ${namespace} with everything in it`] : []),
    extras.crds.length > 0
      ? `  - deleted: ${extras.crds.length} CRDs, and with them all policies and registrations in this cluster`
      : `  - CRDs and their objects stay${crds || purge ? ': the cluster has none' : '; --crds deletes them'}`,
    ...(await dependents(chart, target)),
  ];
}

/** What stops to work. */
async function dependents({ component }: Chart, { connection, namespace }: Target): Promise<readonly string[]> {
  if (component === 'agent')
    return ['  - generated objects stay, if the cluster is still registered: meshctl cluster deregister removes them'];
  const clusters = await registered(connection, namespace);
  if (clusters.length === 0) return [];
  return [
    `  - registered clusters lose their server and keep their generated objects: ${clusters.join(', ')}; meshctl cluster deregister removes them`,
  ];
}

async function registered(connection: Target['connection'], namespace: string): Promise<readonly string[]> {
  try {
    const found = await connection.objects(meshrelayKind('KubernetesCluster')).list({ namespace });
    return found.map(({ metadata }) => metadata.name);
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

async function removeExtras(plan: UninstallPlan, { crds, secrets, leases, namespace: isOwn }: Extras): Promise<void> {
  const { target, step, timeout } = plan;
  const { connection, namespace } = target;
  for (const name of secrets) await connection.objects(secretKind).delete({ namespace, name });
  if (secrets.length > 0) step(`deleted ${counted(secrets.length, 'Secret')} of ${plan.chart.name}`);
  for (const name of leases) await connection.objects(LEASE).delete({ namespace, name });
  if (leases.length > 0) step(`deleted ${counted(leases.length, 'Lease')}`);
  await deleteCrds(connection, crds, timeout);
  if (crds.length > 0) step(`deleted ${crds.length} CRDs with all their objects`);
  if (!isOwn) return;
  await connection.objects(NAMESPACE).delete({ name: namespace });
  step(`namespace ${namespace} deleted`);
}
