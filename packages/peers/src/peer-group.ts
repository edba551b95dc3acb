/** A group of replicas that authenticate each other: those of one program in one namespace. */
export interface PeerGroup {
  /** Name of the Secret with their keys, which only they may read. */
  readonly secret: string;
  /** Name in their certificate: all replicas share it, whatever their address. */
  readonly name: string;
}
