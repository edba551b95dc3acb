/** An entry with what we know beside it: who reported it, who called whom. */
import { type Attribution, hostOf, type Reporter, type WorkloadRef } from '../attribution/reporter.ts';
import type { AccessLogFields, FieldName } from './access-log-fields.ts';

/** Which side of the exchange the reporter was. */
export type Direction = 'inbound' | 'outbound';

/** One entry of the access log of a workload. */
export interface AccessLogEntry {
  readonly reporter: Reporter;
  /** Absent where nothing tells. */
  readonly direction: Direction | undefined;
  /** Who called: the reporter of an outbound entry; of an inbound one the workload with the caller's address or SPIFFE id. */
  readonly source: WorkloadRef | undefined;
  /** Who was called. */
  readonly destination: WorkloadRef | undefined;
  readonly fields: AccessLogFields;
}

/** What a custom tag must be called for the upstream's SPIFFE id (`%UPSTREAM_PEER_URI_SAN%`), which an entry says nowhere else. */
export const UPSTREAM_SAN_TAG = 'up_san';

/** Fields that `relate` looks at. */
export const RELATION_FIELDS: readonly FieldName[] = [
  'upstreamCluster',
  'downstreamRemoteAddress',
  'upstreamRemoteAddress',
  'peerPrincipal',
  'customTags',
];

/** An entry of these fields, with its ends found. */
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
 * By the name of the log, by Istio's names of clusters, by who shows a certificate to whom. The name is configuration, which mesh
 * and agent agree on; a proxy that lies about it lies about its own traffic only.
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

/** A SPIFFE id is proved by the handshake, an address only that the packets came from there: the id first. */
function peerOf(
  principal: string | undefined,
  address: string | undefined,
  attribution: Attribution,
): WorkloadRef | undefined {
  const known = principal === undefined ? undefined : attribution.workloadOf?.(principal);
  return known ?? (address === undefined ? undefined : attribution.workloadAt(hostOf(address)));
}
