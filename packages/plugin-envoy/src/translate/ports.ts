/** The ports of a proxy's own. */

/** Where a sidecar takes requests of other proxies, for all ports of its application: the handshake says which is meant. */
export const INBOUND_PORT = 15006;
/** Where a sidecar takes its application's requests, on the pod's own loopback address. */
export const OUTBOUND_PORT = 15001;
