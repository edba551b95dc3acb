/** How much of anything a peer may send. */

/** Sizes in bytes, depths and counts in pieces. */
export interface RelayLimits {
  /** A whole message on the wire. Larger ones end the stream. */
  readonly messageBytes: number;
  /** One object's body. A larger object is refused, the rest goes on. */
  readonly objectBytes: number;
  /** Objects of one cluster. Those beyond are refused. */
  readonly objects: number;
  /** Bodies of one cluster together. Objects beyond are refused. */
  readonly totalBytes: number;
  /** How deep the JSON of an object may be nested. */
  readonly depth: number;
  /** Deltas on the way without an answer. */
  readonly windowDeltas: number;
  /** Bytes of deltas on the way without an answer. */
  readonly windowBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** What holds unless the configuration says otherwise. An object may be as large as etcd's default request limit lets it be. */
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
