// How one object names another.

/** Names an object of the management cluster whose kind the field implies. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace: string;
}

/** Names an object of one registered cluster whose kind the field implies. */
export interface ClusterObjectRef {
  readonly name: string;
  readonly namespace: string;
  /** Name of the KubernetesCluster the object lives in. */
  readonly clusterName: string;
}

/** Names an object anywhere in the fleet. */
export interface ResourceRef {
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** Name of a registered cluster; empty for the management cluster. */
  readonly cluster: string;
}

/** Names a policy (VirtualMesh, TrafficPolicy or AccessPolicy) wherever it lives. */
export type PolicyRef = ResourceRef;
