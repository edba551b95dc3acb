/** The requirements of an installation, checked before it changes a cluster. */
import { errorMessage } from '@meshrelay/host';
import { isKubeError, Reviews } from '@meshrelay/kube';
import { CRD } from '../online/kinds.ts';
import { missingRights } from '../online/missing-rights.ts';
import { isAtLeast, isNewer } from '../online/versions.ts';
import { type Chart, crdsOf } from './chart.ts';
import type { HelmRelease } from './helm.ts';
import { type RenderedObject, rightsToWrite } from './rendered.ts';
import type { Target } from './target.ts';

/** ValidatingAdmissionPolicy has been stable since then. */
const OLDEST_KUBERNETES = '1.30';
/** Helm's annotation of the objects of a release. */
export const RELEASE_NAME = 'meta.helm.sh/release-name';
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace';
const VERSION_LABEL = 'app.kubernetes.io/version';

/** The result of checking one requirement. */
export interface Finding {
  /** As a statement that holds without problems. */
  readonly name: string;
  readonly problems: readonly string[];
  /** The command or action that solves the problems. */
  readonly hint: string;
}

/** A CustomResourceDefinition of the cluster. */
interface PresentCrd {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/** @throws KubeError if the API server does not answer */
export async function kubernetesVersion({ connection }: Pick<Target, 'connection'>): Promise<Finding> {
  const { gitVersion } = await connection.request<{ readonly gitVersion: string }>({
    what: 'get version',
    method: 'GET',
    path: '/version',
  });
  return {
    name: `the API server answers, with Kubernetes ${gitVersion}`,
    problems: isAtLeast(gitVersion, OLDEST_KUBERNETES)
      ? []
      : [`it has Kubernetes ${gitVersion}, expected ${OLDEST_KUBERNETES} or later`],
    hint: 'upgrade the cluster',
  };
}

/** @throws KubeError */
export async function permissions(
  { connection, namespace }: Pick<Target, 'connection' | 'namespace'>,
  objects: readonly RenderedObject[],
): Promise<Finding> {
  const missing = await missingRights(new Reviews(connection), rightsToWrite(objects, namespace), namespace);
  return {
    name: 'you may create the objects of the chart, and grant its permissions',
    problems: missing.map((right) => `not permitted: ${right}`),
    hint: 'use the context of a cluster administrator (--context), or let one add these rules to your ClusterRole',
  };
}

/** @param all the releases of the cluster */
export function releaseFree(chart: Chart, target: Target, all: readonly HelmRelease[]): Finding {
  const { name, component } = chart;
  const problems = all.flatMap((release) => {
    if (release.namespace === target.namespace && release.name === name)
      return [`release ${release.namespace}/${name} exists: ${release.chart}, ${release.status}`];
    // Its ClusterRoles have fixed names.
    if (isOf(chart, release)) return [`the ${component} is installed in namespace ${release.namespace}`];
    return [];
  });
  return {
    name: `no release ${name} is in the cluster`,
    problems,
    hint: `upgrade it with meshctl upgrade ${component}, or remove it with meshctl uninstall ${component}, with the same --namespace`,
  };
}

function isOf({ name }: Chart, release: HelmRelease): boolean {
  return new RegExp(`^${name}-v?\\d`).test(release.chart);
}

/**
 * Whether the chart can apply its CRDs over those of the cluster.
 * @param owners the releases of the cluster
 * @throws KubeError
 */
export async function crdsUsable(chart: Chart, target: Target, owners: readonly HelmRelease[]): Promise<Finding> {
  const present = new Map((await presentCrds(target)).map((crd) => [crd.metadata.name, crd]));
  const problems = crdsOf(chart).flatMap(({ name, versions }) => {
    const crd = present.get(name);
    return crd === undefined ? [] : crdProblems(crd, versions, { chart, owners, target });
  });
  return {
    name: 'the CRDs in the cluster are absent, or of a version that the chart can replace',
    problems,
    hint: `use the meshctl of the newer version, or take CRDs without a release into this one with --take-ownership; --set crds.enabled=false leaves all as they are`,
  };
}

interface Ownership {
  readonly chart: Chart;
  readonly owners: readonly HelmRelease[];
  readonly target: Target;
}

function crdProblems({ metadata, status }: PresentCrd, versions: readonly string[], place: Ownership): string[] {
  const { chart, owners, target } = place;
  const { name, labels = {}, annotations = {} } = metadata;
  const stored = (status?.storedVersions ?? []).filter((version) => !versions.includes(version));
  if (stored.length > 0)
    return [`${name} stores objects as ${stored.join(', ')}, which Meshrelay ${chart.appVersion} does not know`];
  const version = labels[VERSION_LABEL] ?? '';
  if (isNewer(version, chart.appVersion))
    return [`${name} is of Meshrelay ${version}, and this meshctl installs ${chart.appVersion}`];
  const [release, namespace] = [annotations[RELEASE_NAME], annotations[RELEASE_NAMESPACE]];
  if (release === undefined) return [`${name} was not installed by Helm`];
  if (release === chart.name && namespace === target.namespace) return [];
  // The chart leaves them to a release that is installed.
  if (owners.some((one) => one.name === release && one.namespace === namespace)) return [];
  return [`${name} belongs to the release ${namespace}/${release}, which is gone`];
}

/** @throws KubeError */
export async function presentCrds({ connection }: Pick<Target, 'connection'>): Promise<readonly PresentCrd[]> {
  return (await connection.objects(CRD).list()) as readonly PresentCrd[];
}

/** A check that needs a permission which the user lacks has that as its problem. */
export async function finding(name: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) throw error;
    return { name, problems: [errorMessage(error)], hint: 'use the context of a cluster administrator (--context)' };
  }
}
