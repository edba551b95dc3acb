/** The Lease object, and the three calls that an elector makes on it. */

/**
 * The fields of a `coordination.k8s.io/v1` Lease that an elector reads and writes. Other fields pass through unchanged.
 */
export interface Lease {
  readonly metadata: LeaseMetadata;
  readonly spec?: LeaseSpec;
}

/** Name, namespace and version of a Lease. */
export interface LeaseMetadata {
  readonly name: string;
  readonly namespace: string;
  /** Sent with an update, so the API server rejects it if the Lease has changed since. */
  readonly resourceVersion?: string;
}

/** Election record as the API server stores it. Times are RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/**
 * Access to Leases. Each call must reject soon after `signal` aborts; the elector does not wait longer. The elector
 * does not inspect a rejection: the attempt has failed, and it reads the Lease again.
 */
export interface LeaseClient {
  /** Returns the Lease, or undefined if it does not exist. */
  get(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined>;
  /** Creates the Lease; rejects if it exists. Resolves with the stored object. */
  create(lease: Lease, signal: AbortSignal): Promise<Lease>;
  /** Replaces the Lease; rejects unless its `resourceVersion` is the stored one. Resolves with the stored object. */
  update(lease: Lease, signal: AbortSignal): Promise<Lease>;
}
