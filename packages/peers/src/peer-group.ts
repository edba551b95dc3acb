/** Replicas that know each other: those of one program in one namespace. */
export interface PeerGroup {
  /** The Secret with their keys, which nobody else may read. */
  readonly secret: string;
  /** The name in their certificate: it is every replica's, whatever its address. */
  readonly name: string;
}
