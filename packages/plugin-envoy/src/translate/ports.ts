/** The proxy's own ports. */

/** The sidecar's port for requests of other proxies, for all ports of its application: the SNI selects the port. */
export const INBOUND_PORT = 15006;
/** The sidecar's port for its application's requests, on the pod's own loopback address. */
export const OUTBOUND_PORT = 15001;
