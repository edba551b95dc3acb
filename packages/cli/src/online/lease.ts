/** Reads a Lease for which replicas compete. */
import type { KubeConnection, ObjectKey } from '@meshrelay/kube';
import { LEASE } from './kinds.ts';

export interface LeaseState {
  /** As `REPLICA_UUID`; undefined without a holder. */
  readonly holder: string | undefined;
  /** The holder's last renewal, RFC 3339; undefined if the Lease has none. */
  readonly renewTime: string | undefined;
  /** Whether the holder renewed it in time. */
  readonly isHeld: boolean;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Undefined if the Lease does not exist.
 * @throws KubeError
 */
export async function readLease(
  connection: KubeConnection,
  key: ObjectKey,
  now: Date,
): Promise<LeaseState | undefined> {
  const lease = await connection.objects(LEASE).read(key);
  if (lease === undefined) return undefined;
  const { holderIdentity, renewTime, leaseDurationSeconds = 0 } = (lease.spec ?? {}) as LeaseSpec;
  const holder = holderIdentity === '' ? undefined : holderIdentity;
  const ends = Date.parse(renewTime ?? '') + leaseDurationSeconds * 1000;
  const { annotations = {} } = lease.metadata;
  return { holder, renewTime, isHeld: holder !== undefined && ends > now.getTime(), annotations };
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}
