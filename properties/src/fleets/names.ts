/** Names in a fleet that policies refer to. */
import type { ClusterObjectRef } from '@meshrelay/api';
import type fc from 'fast-check';

/** A random value of each sort of name. */
export interface Names {
  readonly service: fc.Arbitrary<ClusterObjectRef>;
  readonly cluster: fc.Arbitrary<string>;
  readonly namespace: fc.Arbitrary<string>;
  readonly labels: fc.Arbitrary<Readonly<Record<string, string>>>;
  /** Names of ServiceAccounts. */
  readonly account: fc.Arbitrary<string>;
  /** Names of policies. */
  readonly policy: fc.Arbitrary<string>;
  /** Names of the members of a virtual mesh. */
  readonly meshes: fc.Arbitrary<readonly string[]>;
  /** Numbers of ports. */
  readonly port: fc.Arbitrary<number>;
  /** Names for virtual destinations. */
  readonly hostname: fc.Arbitrary<string>;
}
