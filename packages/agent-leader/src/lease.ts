/** The Lease object and the three calls an elector makes on it. */

/** What an elector reads and writes of a `coordination.k8s.io/v1` Lease; other fields are carried along untouched. */
export interface Lease {
  readonly metadata: LeaseMetadata;
  readonly spec?: LeaseSpec;
}

/** Name, place and version of a Lease. */
export interface LeaseMetadata {
  readonly name: string;
  readonly namespace: string;
  /** Sent back with an update, so that the API server refuses it when the Lease has changed since. */
  readonly resourceVersion?: string;
}

/** The election record as the API server stores it; times are RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/**
 * Access to Leases. Each call ends (by rejecting) soon after `signal` aborts; the elector does not wait for it longer.
 * What a rejection means is not looked at: the attempt has failed and the Lease is read again.
 */
export interface LeaseClient {
  /** The Lease, or undefined when there is none. */
  get(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined>;
  /** Creates the Lease; rejects when it exists. Resolves with what was stored. */
  create(lease: Lease, signal: AbortSignal): Promise<Lease>;
  /** Replaces the Lease; rejects unless its `resourceVersion` is the stored one. Resolves with what was stored. */
  update(lease: Lease, signal: AbortSignal): Promise<Lease>;
}
