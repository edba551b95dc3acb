/** Limits on what a peer may send. */

/** Sizes in bytes; depths and counts as numbers. */
export interface RelayLimits {
  /** A message on the wire. A larger one ends the stream. */
  readonly messageBytes: number;
  /** The body of one object. A larger object is rejected, the rest continues. */
  readonly objectBytes: number;
  /** Objects of one cluster. Further ones are rejected. */
  readonly objects: number;
  /** Total bytes of the bodies of one cluster. Further objects are rejected. */
  readonly totalBytes: number;
  /** Maximum nesting depth of an object's JSON. */
  readonly depth: number;
  /** Unacknowledged deltas. */
  readonly windowDeltas: number;
  /** Bytes of unacknowledged deltas. */
  readonly windowBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The defaults. An object may be as large as etcd's default request limit. */
export const DEFAULT_LIMITS: RelayLimits = {
  messageBytes: MIB,
  objectBytes: 1.5 * MIB,
  objects: 500_000,
  totalBytes: 1024 * MIB,
  depth: 64,
  windowDeltas: 32,
  windowBytes: 4 * MIB,
};

/** The defaults with some of them replaced. */
export function relayLimits(changes: Partial<RelayLimits> = {}): RelayLimits {
  return { ...DEFAULT_LIMITS, ...changes };
}
