/** A fleet as the istiods of its clusters see it, with the generated objects. */
import type { KubeObject } from '@meshrelay/api';
import { type ControlPlane, key, valuesInOrder } from '@meshrelay/relay-core';
import { type IstioCluster, isPatch, istioCluster } from './cluster.ts';
import { callIstiod } from './program.ts';
import { type Reported, reportedBy } from './reported.ts';

/** A cluster with the configuration that its istiod generated. */
export interface ProcessedCluster {
  readonly name: string;
  readonly seen: IstioCluster;
  readonly reported: Reported;
  /** Generated Istio objects in the cluster. */
  readonly managed: readonly KubeObject[];
  /** Objects of users. */
  readonly unmanaged: readonly KubeObject[];
}

/** The Istio clusters of one fleet. */
export interface ProcessedFleet {
  readonly name: string;
  readonly clusters: readonly ProcessedCluster[];
}

/** A fleet before istiod has processed it. */
export interface IstioFleet {
  readonly name: string;
  readonly clusters: readonly ClusterObjects[];
}

/** The objects of a cluster, and the generated ones. */
export interface ClusterObjects {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  /** Istio objects, and patches of Istio's configuration. */
  readonly written: readonly KubeObject[];
}

/** The domain of clusters in istiod's fakes. */
const DOMAIN = 'cluster.local';

/** Clusters with the objects that a control plane has their agents write; without clusters of other domains. */
export function withWritten(
  clusters: ReadonlyArray<Omit<ClusterObjects, 'written'>>,
  { desired, fleetState: fleet }: ControlPlane,
): ClusterObjects[] {
  const known = clusters.filter(({ name }) => (fleet.clusters.get(key(name))?.domain ?? DOMAIN) === DOMAIN);
  const all = valuesInOrder(desired);
  return known.map((one) => {
    const written = all
      .filter(({ cluster }) => cluster === one.name)
      .map(({ object }) => object as unknown as KubeObject)
      .filter((object) => isOfIstio(object) || isPatch(object));
    return { ...one, written };
  });
}

/** The fleet, with a text in all generated objects replaced. @param what a text, or a global expression */
export function tampered({ name, clusters }: IstioFleet, what: string | RegExp, by: string): IstioFleet {
  return {
    name,
    clusters: clusters.map((cluster) => {
      const text = JSON.stringify(cluster.written).replaceAll(what, by);
      return { ...cluster, written: JSON.parse(text) as ClusterObjects['written'] };
    }),
  };
}

/** istiod's output for every cluster of these fleets. */
export function processByIstiod(fleets: readonly IstioFleet[]): ProcessedFleet[] {
  const clusters = fleets.flatMap((fleet) => fleet.clusters.flatMap((one) => requested(fleet, one) ?? []));
  const reported = reportedBy(clusters.map(({ seen }) => seen));
  const seen = clusters.map((one, at) => ({ ...one, reported: reported[at] as Reported }));
  return fleets.map((fleet) => ({ name: fleet.name, clusters: seen.filter((one) => one.fleet === fleet) }));
}

function requested(
  fleet: IstioFleet,
  { name, objects, written }: ClusterObjects,
): (Omit<ProcessedCluster, 'reported'> & { readonly fleet: IstioFleet }) | undefined {
  const names = new Set(written.map(nameOf));
  const unmanaged = objects.filter((object) => isOfIstio(object) && !names.has(nameOf(object)));
  const seen = istioCluster(objects, [...admitted(unmanaged), ...written]);
  return seen === undefined ? undefined : { fleet, name, seen, managed: written.filter(isOfIstio), unmanaged };
}

/** A cluster contains no objects that its webhook rejects. */
function admitted(objects: readonly KubeObject[]): KubeObject[] {
  const answers = callIstiod('validate', objects);
  return objects.filter((_, at) => answers[at] === '');
}

function isOfIstio({ apiVersion }: KubeObject): boolean {
  return apiVersion.includes('.istio.io/');
}

function nameOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return JSON.stringify([kind, namespace, name]);
}
