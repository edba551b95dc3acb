/** Scheduler and kubelet for pods: assigns a node and an address; containers run and are ready at once. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore, ObjectEvent, ObjectRef } from '../storage/controller-store.ts';
import { createAddressPool } from './address-pool.ts';
import type { Controller, OnFault } from './controller.ts';
import { hasLabels } from './has-labels.ts';
import { NAMESPACE, NODE, POD } from './kinds.ts';
import { pendingStatus, runningStatus } from './pod-status.ts';
import type { PodMutator } from './pod-template.ts';
import { refOf, startLoop } from './reconcile-loop.ts';
import { hashIndex } from './stable-hash.ts';

/** Options for pods. */
export interface PodOptions {
  /** Range of pod addresses; give each cluster its own. 10.10.0.0/16 by default. */
  readonly podCidr?: string | undefined;
  /** Applied to pods without a controller, before they get a node. */
  readonly mutatePod?: PodMutator;
  readonly onFault?: OnFault | undefined;
}

/** Annotation of a pod: a list with its requested address. */
const ADDRESSES = 'cni.projectcalico.org/ipAddrs';

/** Schedules and runs pods. */
export function startPods(
  store: ControllerStore,
  { podCidr = '10.10.0.0/16', mutatePod = (pod) => pod, onFault }: PodOptions = {},
): Controller {
  const pool = createAddressPool(podCidr);
  /** Pods without a free address: they retry when one is released. */
  const starved = new Map<string, ObjectRef>();
  const addressFor = (ref: ObjectRef, requested: string | undefined): string => {
    if (requested !== undefined) return requested;
    starved.set(keyOf(ref), ref);
    const address = pool.claim(keyOf(ref));
    starved.delete(keyOf(ref));
    return address;
  };
  const follow = (event: ObjectEvent): ObjectRef[] => {
    const ref = refOf(event);
    if (event.type === 'DELETED') {
      pool.release(keyOf(ref));
      starved.delete(keyOf(ref));
      return [ref, ...starved.values()];
    }
    const address = onHost(event.object) ? undefined : event.object['status']?.podIP;
    if (address !== undefined) pool.observe(keyOf(ref), address);
    return [ref];
  };
  return startLoop({
    name: 'Pod',
    store,
    watches: [
      { kind: POD, refs: follow },
      {
        kind: NODE,
        refs: () =>
          store
            .list(POD)
            .filter(isUnscheduled)
            .map((object) => refOf({ object })),
      },
    ],
    reconcile: (ref) => reconcile(store, ref, { addressFor, mutatePod }),
    onFault,
  });
}

interface Means {
  /** The address of a pod: the requested one, or a free one. @throws Error when none is left */
  readonly addressFor: (ref: ObjectRef, requested: string | undefined) => string;
  readonly mutatePod: PodMutator;
}

function reconcile(store: ControllerStore, ref: ObjectRef, { addressFor, mutatePod }: Means): void {
  const found = store.get(POD, ref);
  if (found === undefined || found.metadata.deletionTimestamp !== undefined || isDone(found)) return;
  const pod = schedule(store, found, mutatePod);
  const node = store.get(NODE, { name: pod['spec'].nodeName ?? '' });
  const status =
    node === undefined
      ? pendingStatus(store, pod)
      : runningStatus(store, pod, {
          hostIP: addressOf(node),
          podIP: onHost(pod) ? addressOf(node) : addressFor(ref, requestedAddress(pod)),
        });
  store.update({ ...pod, status }, { subresource: 'status' });
}

/** Binds a pod to one of the nodes that its selector allows, chosen by its name. */
function schedule(store: ControllerStore, pod: KubeObject, mutatePod: PodMutator): KubeObject {
  const { namespace = '', name } = pod.metadata;
  const admitted = isUnscheduled(pod) ? mutatePod(pod, store.get(NAMESPACE, { name: namespace })) : pod;
  const nodes = store.list(NODE).filter(({ metadata, spec }) => {
    return spec?.unschedulable !== true && hasLabels(pod['spec'].nodeSelector ?? {}, metadata.labels);
  });
  const chosen = nodes.length === 0 ? undefined : nodes[hashIndex(`${namespace}/${name}`, nodes.length)]?.metadata.name;
  const { nodeName = chosen, serviceAccountName = 'default' } = admitted['spec'];
  const spec = {
    ...admitted['spec'],
    serviceAccountName,
    serviceAccount: serviceAccountName,
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  return store.update({ ...admitted, spec });
}

function isUnscheduled(pod: KubeObject): boolean {
  return !pod['spec']?.nodeName;
}

function isDone(pod: KubeObject): boolean {
  return pod['status']?.phase === 'Succeeded' || pod['status']?.phase === 'Failed';
}

function onHost(pod: KubeObject): boolean {
  return pod['spec']?.hostNetwork === true;
}

/** The address requested with Calico's annotation; undefined without exactly one. */
function requestedAddress({ metadata: { annotations } }: KubeObject): string | undefined {
  const [address] = /^\["(\d+(?:\.\d+){3})"\]$/.exec(annotations?.[ADDRESSES] ?? '')?.slice(1) ?? [];
  return address;
}

function addressOf(node: KubeObject): string {
  const addresses: { type: string; address: string }[] = node['status']?.addresses ?? [];
  return addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
}

function keyOf({ namespace, name }: ObjectRef): string {
  return `${namespace}/${name}`;
}
