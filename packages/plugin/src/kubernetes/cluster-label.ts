/** The label for the cluster of an object. */

/** On discovered objects in the management cluster, and on endpoints in views. */
export const CLUSTER_LABEL = 'meshrelay.dev/cluster';
