/** An entry with derived information: its reporter, source and destination. */
import { type Attribution, hostOf, type Reporter, type WorkloadRef } from '../attribution/reporter.ts';
import type { AccessLogFields, FieldName } from './access-log-fields.ts';

/** Side of the reporter in the exchange. */
export type Direction = 'inbound' | 'outbound';

/** One entry of the access log of a workload. */
export interface AccessLogEntry {
  readonly reporter: Reporter;
  /** Absent if it cannot be determined. */
  readonly direction: Direction | undefined;
  /**
   * The caller: the reporter of an outbound entry; for an inbound one, the workload with the caller's address or SPIFFE
   * id.
   */
  readonly source: WorkloadRef | undefined;
  /** The called workload. */
  readonly destination: WorkloadRef | undefined;
  readonly fields: AccessLogFields;
}

/**
 * Required name of the custom tag for the upstream's SPIFFE id (`%UPSTREAM_PEER_URI_SAN%`), which no other field of an
 * entry contains.
 */
export const UPSTREAM_SAN_TAG = 'up_san';

/** Fields that `relate` reads. */
export const RELATION_FIELDS: readonly FieldName[] = [
  'upstreamCluster',
  'downstreamRemoteAddress',
  'upstreamRemoteAddress',
  'peerPrincipal',
  'customTags',
];

/** Creates an entry from these fields, with its source and destination. */
export function relate(fields: AccessLogFields, reporter: Reporter, attribution: Attribution): AccessLogEntry {
  const direction = directionOf(fields, reporter);
  const { workload } = reporter;
  const principal = direction === 'inbound' ? fields.peerPrincipal : fields.customTags?.[UPSTREAM_SAN_TAG];
  const address = direction === 'inbound' ? fields.downstreamRemoteAddress : fields.upstreamRemoteAddress;
  const peer = direction === undefined ? undefined : peerOf(principal, address, attribution);
  const [source, destination] = direction === 'inbound' ? [peer, workload] : [workload, peer];
  return { reporter, direction, source: direction && source, destination: direction && destination, fields };
}

/**
 * Derived from the log name, from Istio's cluster names, or from the certificates of both sides. The log name is
 * configuration on which mesh and agent agree; a proxy with a false name only misreports its own traffic.
 */
function directionOf(
  { upstreamCluster, customTags, peerPrincipal }: AccessLogFields,
  { logName }: Reporter,
): Direction | undefined {
  for (const name of [logName, upstreamCluster ?? '']) {
    if (name.startsWith('inbound')) return 'inbound';
    if (name.startsWith('outbound')) return 'outbound';
  }
  if (customTags?.[UPSTREAM_SAN_TAG] !== undefined) return 'outbound';
  return peerPrincipal === undefined ? undefined : 'inbound';
}

/** The handshake proves a SPIFFE id; an address only proves the origin of the packets. So the id comes first. */
function peerOf(
  principal: string | undefined,
  address: string | undefined,
  attribution: Attribution,
): WorkloadRef | undefined {
  const known = principal === undefined ? undefined : attribution.workloadOf?.(principal);
  return known ?? (address === undefined ? undefined : attribution.workloadAt(hostOf(address)));
}
