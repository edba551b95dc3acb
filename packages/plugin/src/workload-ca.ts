/**
 * Objects for an agent that is the CA of workloads: its CA, and the roots it publishes. Both are in its own namespace.
 */

/** The Secret with its CA, in the format of Istio's `cacerts`. */
export const WORKLOAD_CA_SECRET = 'meshrelay-workload-ca';

/** The ConfigMap with the roots that it publishes to workloads, under {@link WORKLOAD_ROOTS_KEY}. */
export const WORKLOAD_ROOTS = 'meshrelay-workload-roots';

/** All roots as PEM. */
export const WORKLOAD_ROOTS_KEY = 'root-cert.pem';

/**
 * The SDS names with which proxies request their own certificate, and the roots of all peers they trust. Each proxy
 * gets its own.
 */
export const WORKLOAD_SECRETS = { certificate: 'default', roots: 'ROOTCA' } as const;

/** Where istiod reads its CA from, in its own namespace. */
export const CONTROL_PLANE_SECRET = 'cacerts';
