/** Installs and upgrades the server or an agent by their charts. */
import { errorMessage } from '@meshrelay/host';
import { NAMESPACE } from '../online/kinds.ts';
import { areNeighbours } from '../online/versions.ts';
import { InputError } from '../problem.ts';
import { type Chart, crdsOf } from './chart.ts';
import { deleteCrds } from './delete-crds.ts';
import { clusterFlags, type HelmRelease, helm, releases } from './helm.ts';
import { ensureNamespace } from './namespace.ts';
import { waitForPods } from './pods.ts';
import {
  crdsUsable,
  type Finding,
  finding,
  kubernetesVersion,
  permissions,
  presentCrds,
  releaseFree,
} from './preflight.ts';
import { type Progress, refuseProblems } from './progress.ts';
import { objectsIn } from './rendered.ts';
import type { Target } from './target.ts';

/** Milliseconds within which CRDs without objects are gone. */
const CRDS_GONE_MS = 30_000;

export interface ChartPlan extends Progress {
  readonly chart: Chart;
  readonly target: Target;
  /** Helm's options for values. */
  readonly values: readonly string[];
  /** Whether CRDs of a removed release, or of none, become those of this one. */
  readonly takeOwnership: boolean;
}

export interface WaitPlan {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/** Helm's command that installs a chart. */
export function installCommand({
  chart,
  target,
  values,
  takeOwnership,
}: Omit<ChartPlan, keyof Progress>): readonly string[] {
  return ['install', ...common(chart, target, values, takeOwnership), '--create-namespace'];
}

/**
 * Helm's command that upgrades a release: its values stay, with the defaults of the new chart, unless they are given.
 */
export function upgradeCommand({
  chart,
  target,
  values,
  takeOwnership,
}: Omit<ChartPlan, keyof Progress>): readonly string[] {
  return ['upgrade', ...common(chart, target, values, takeOwnership), '--reset-then-reuse-values'];
}

function common({ name, folder }: Chart, target: Target, values: readonly string[], takeOwnership: boolean): string[] {
  return [name, folder, ...clusterFlags(target), ...values, ...(takeOwnership ? ['--take-ownership'] : [])];
}

/** The objects of a new installation, as YAML. @throws InputError for values that the chart rejects */
export function renderInstall({
  chart,
  target: { namespace },
  values,
}: Pick<ChartPlan, 'chart' | 'values'> & {
  readonly target: Pick<Target, 'namespace'>;
}): Promise<string> {
  return helm(['template', chart.name, chart.folder, '--namespace', namespace, ...values]);
}

/** The objects after an upgrade, as YAML. @throws InputError for values that the chart rejects */
export async function renderUpgrade(plan: Omit<ChartPlan, keyof Progress>): Promise<string> {
  const text = await helm([...upgradeCommand(plan), '--dry-run=server', '--output', 'json']);
  return (JSON.parse(text) as { readonly manifest: string }).manifest;
}

/** What must hold before an installation. @throws InputError, KubeError if the API server does not answer */
export async function checkBeforeInstall(plan: Omit<ChartPlan, keyof Progress>): Promise<readonly Finding[]> {
  const { chart, target, takeOwnership } = plan;
  const objects = objectsIn(await renderInstall(plan));
  const writesCrds = objects.some(({ kind }) => kind === 'CustomResourceDefinition');
  const first = [await kubernetesVersion(target), await permissions(target, objects)];
  // Helm could not list releases.
  if (first.some(({ problems }) => problems.length > 0)) return first;
  const all = await releases(target);
  const free = releaseFree(chart, target, all);
  if (!writesCrds || takeOwnership) return [...first, free];
  return [...first, free, await finding('the CRDs are readable', () => crdsUsable(chart, target, all))];
}

/**
 * Installs a chart. A failure leaves what was there before.
 * @throws InputError
 */
export async function installChart(plan: ChartPlan): Promise<void> {
  const { step } = plan;
  const findings = await checkBeforeInstall(plan);
  refuseProblems(findings);
  for (const { name } of findings) step(name);
  await applyChart(plan);
}

/** The same after {@link checkBeforeInstall}. @throws InputError */
export async function applyChart(plan: ChartPlan): Promise<void> {
  const { chart, target, step } = plan;
  const { connection, namespace } = target;
  const before = new Set((await presentCrds(target)).map(({ metadata }) => metadata.name));
  const isNew = await ensureNamespace(connection, namespace);
  if (isNew) step(`namespace ${namespace} created`);
  try {
    await helm(installCommand(plan));
  } catch (error) {
    await removeHalf(plan, before, isNew).catch((cause: unknown) => {
      throw new InputError(
        [
          errorMessage(error),
          `what it created is not removed, because: ${errorMessage(cause)}`,
          `remove it with meshctl uninstall ${chart.component} --purge`,
        ],
        { cause },
      );
    });
    throw error;
  }
  step(`chart ${chart.name} ${chart.appVersion} installed`);
}

/** Removes what a failed installation has left. CRDs that did not exist before it have no objects yet. */
async function removeHalf({ chart, target }: ChartPlan, before: ReadonlySet<string>, isNew: boolean): Promise<void> {
  const { connection, namespace } = target;
  await helm(['uninstall', chart.name, ...clusterFlags(target), '--ignore-not-found']);
  const added = crdsOf(chart).flatMap(({ name }) => (before.has(name) ? [] : [name]));
  await deleteCrds(connection, added, CRDS_GONE_MS);
  if (isNew) await connection.objects(NAMESPACE).delete({ name: namespace });
}

/** @throws InputError */
export async function upgradeChart(plan: ChartPlan): Promise<void> {
  const { chart, target, step } = plan;
  const all = await releases(target);
  const release = installedRelease(chart, target, all);
  const findings = [
    await kubernetesVersion(target),
    checkVersions(chart, release),
    ...(plan.takeOwnership ? [] : [await finding('the CRDs are readable', () => crdsUsable(chart, target, all))]),
  ];
  refuseProblems(findings);
  const rights = await permissions(target, objectsIn(await renderUpgrade(plan)));
  refuseProblems([rights]);
  for (const { name } of [...findings, rights]) step(name);
  try {
    await helm(upgradeCommand(plan));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const back = `helm rollback ${chart.name} --namespace ${target.namespace} --kube-context ${target.context}`;
    throw new InputError(`${error.message}; run the upgrade again, or go back with ${back}`, { cause: error });
  }
  step(`chart ${chart.name} upgraded from ${release.app_version} to ${chart.appVersion}`);
}

/** @throws InputError if it does not exist, or if another Helm changes it */
function installedRelease({ name, component }: Chart, target: Target, all: readonly HelmRelease[]): HelmRelease {
  const release = all.find((one) => one.name === name && one.namespace === target.namespace);
  if (release === undefined)
    throw new InputError(
      `namespace ${target.namespace} of context ${target.context} has no release ${name}; install it with meshctl install ${component}, or give its namespace with --namespace`,
    );
  if (release.status.startsWith('pending'))
    throw new InputError(
      `release ${target.namespace}/${name} is ${release.status}: another Helm changes it, or was interrupted; wait for it, or go back with helm rollback ${name} --namespace ${target.namespace}`,
    );
  return release;
}

function checkVersions({ appVersion }: Chart, { app_version: installed }: HelmRelease): Finding {
  return {
    name: `version ${appVersion} may follow ${installed}`,
    problems: areNeighbours(appVersion, installed)
      ? []
      : [
          `version ${installed} is installed and this meshctl has ${appVersion}, expected at most one minor version apart`,
        ],
    hint: 'upgrade through each minor version, with its meshctl',
  };
}

/** Waits until the pods of a chart are available. @throws InputError after the timeout */
export async function waitForChart({ chart, target, step, waiting }: ChartPlan, wait: WaitPlan): Promise<void> {
  const { connection, namespace } = target;
  const pods = await waitForPods({ connection, namespace, deployment: chart.deployment, waiting, ...wait });
  step(`${pods} of ${pods} pods of Deployment ${namespace}/${chart.deployment} are available`);
}
