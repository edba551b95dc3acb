/** Where an agent is itself the CA of workloads: what it issues from, and where it tells the roots. Both are in its own namespace. */

/** The Secret with its CA, in the form of Istio's `cacerts`. */
export const WORKLOAD_CA_SECRET = 'meshrelay-workload-ca';

/** The ConfigMap with the roots that it tells workloads, under {@link WORKLOAD_ROOTS_KEY}. */
export const WORKLOAD_ROOTS = 'meshrelay-workload-roots';

/** All roots as PEM. */
export const WORKLOAD_ROOTS_KEY = 'root-cert.pem';

/** The names by which proxies ask for what they prove their identity with, and for the roots of all whom they trust. Each gets its own. */
export const WORKLOAD_SECRETS = { certificate: 'default', roots: 'ROOTCA' } as const;
