/** All built-in controllers at once: what makes application manifests alone a living cluster. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ControllerStore } from '../storage/controller-store.ts';
import type { Controller, OnFault } from './controller.ts';
import { startDaemonSets } from './daemon-sets.ts';
import { startDeployments } from './deployments.ts';
import { startEndpointSlices } from './endpoint-slices.ts';
import { startLoadBalancers } from './load-balancers.ts';
import { startNamespaces } from './namespaces.ts';
import { type NodeOptions, startNodes } from './nodes.ts';
import { injectOsmSidecar, type OsmOptions } from './osm-injection.ts';
import type { PodMutator } from './pod-template.ts';
import { startPods } from './pods.ts';
import { startReplicaSets } from './replica-sets.ts';
import { type IstioOptions, injectSidecar } from './sidecar-injection.ts';
import { startStatefulSets } from './stateful-sets.ts';

/** What kind of cluster the controllers make. */
export interface ControllerOptions {
  readonly nodes?: NodeOptions;
  /** Range of pod addresses; give each cluster its own where they must not overlap. 10.10.0.0/16 by default. */
  readonly podCidr?: string;
  /** Range of the addresses of LoadBalancer Services; without it they stay pending. */
  readonly loadBalancerPool?: string;
  /** The PEM in every namespace's `kube-root-ca.crt`. */
  readonly caCertificate?: string;
  /** The Istio whose sidecars go into the pods of labelled namespaces; without it none do. */
  readonly istio?: IstioOptions;
  /** The OSM whose sidecars go into the pods of monitored namespaces; without it none do. */
  readonly osm?: OsmOptions;
  /** Told of errors that no later event mends; a process warning by default. */
  readonly onFault?: OnFault;
}

/** Starts every controller on a store. */
export function startControllers(store: ControllerStore, options: ControllerOptions = {}): Controller {
  const { nodes, podCidr, loadBalancerPool, caCertificate, onFault } = options;
  const workload = { onFault, mutatePod: injection(options) };
  return together([
    startNamespaces(store, { caCertificate, onFault }),
    startNodes(store, { nodes, onFault }),
    startDeployments(store, { onFault }),
    startReplicaSets(store, workload),
    startStatefulSets(store, workload),
    startDaemonSets(store, workload),
    startPods(store, { ...workload, podCidr }),
    startLoadBalancers(store, { loadBalancerPool, onFault }),
    startEndpointSlices(store, { onFault }),
  ]);
}

/** The sidecars of every mesh there is. */
function injection({ istio, osm }: ControllerOptions): PodMutator {
  const mutators = [
    ...(istio === undefined ? [] : [injectSidecar(istio)]),
    ...(osm === undefined ? [] : [injectOsmSidecar(osm)]),
  ];
  return (pod, namespace) => mutators.reduce((mutated, mutate) => mutate(mutated, namespace), pod);
}

/** Several controllers as one: idle once none of them has given another one work. */
function together(controllers: readonly Controller[]): Controller {
  return {
    get busy() {
      return controllers.some(({ busy }) => busy);
    },
    async idle() {
      do await nextTurn();
      while (this.busy);
    },
    [Symbol.dispose]() {
      for (const controller of controllers) controller[Symbol.dispose]();
    },
  };
}
