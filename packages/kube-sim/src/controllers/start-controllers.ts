/** All built-in controllers together: they make a working cluster from application manifests alone. */
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

/** Options of the controllers. */
export interface ControllerOptions {
  readonly nodes?: NodeOptions;
  /** Range of pod addresses; use one per cluster if they must not overlap. 10.10.0.0/16 by default. */
  readonly podCidr?: string;
  /** Range of the addresses of LoadBalancer Services; without it they stay pending. */
  readonly loadBalancerPool?: string;
  /** The PEM in every namespace's `kube-root-ca.crt`. */
  readonly caCertificate?: string;
  /** The Istio whose sidecars are injected into pods of labelled namespaces; without it none are. */
  readonly istio?: IstioOptions;
  /** The OSM whose sidecars are injected into pods of monitored namespaces; without it none are. */
  readonly osm?: OsmOptions;
  /** Called for errors that no later event fixes; a process warning by default. */
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

/** The sidecars of all meshes. */
function injection({ istio, osm }: ControllerOptions): PodMutator {
  const mutators = [
    ...(istio === undefined ? [] : [injectSidecar(istio)]),
    ...(osm === undefined ? [] : [injectOsmSidecar(osm)]),
  ];
  return (pod, namespace) => mutators.reduce((mutated, mutate) => mutate(mutated, namespace), pod);
}

/** Several controllers as one: idle once none of them has triggered another one. */
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
