/** Readable names of Envoy's access log enumerations. */

/** By number of the field in ResponseFlags; the names of Envoy's `%RESPONSE_FLAGS%`. */
const FLAGS: readonly (string | undefined)[] = [
  undefined,
  'LH', // failed local health check
  'UH', // no healthy upstream
  'UT', // upstream request timeout
  'LR', // local reset
  'UR', // upstream remote reset
  'UF', // upstream connection failure
  'UC', // upstream connection termination
  'UO', // upstream overflow
  'NR', // no route found
  'DI', // delay injected
  'FI', // fault injected
  'RL', // rate limited
  'UAEX', // rejected by the authorization service
  'RLSE', // rate limit service error
  'DC', // downstream connection termination
  'URX', // retries or connect attempts exhausted
  'SI', // stream idle timeout
  'IH', // invalid Envoy request headers
  'DPE', // downstream protocol error
  'UMSDR', // upstream max stream duration reached
  'RFCF', // response from a cache filter
  'NFCF', // no filter configuration found
  'DT', // duration timeout
  'UPE', // upstream protocol error
  'NC', // no cluster found
  'OM', // overload manager
  'DF', // DNS resolution failure
  'DR', // downstream remote reset
];

/** Number of known fields of ResponseFlags; bit N of a mask represents field N. */
export const KNOWN_FLAGS: number = FLAGS.length;

const sets = new Map<number, readonly string[]>();

/**
 * The names of a mask, as a frozen list that is shared by equal masks; undefined for none. Few combinations exist, and
 * only known bits are set.
 */
export function flagWords(mask: number): readonly string[] | undefined {
  if (mask === 0) return undefined;
  let words = sets.get(mask);
  if (words === undefined) {
    words = Object.freeze(FLAGS.filter((word, at): word is string => word !== undefined && (mask & (1 << at)) !== 0));
    // The cache is limited, so a sender of every combination cannot fill the memory.
    if (sets.size < 1024) sets.set(mask, words);
  }
  return words;
}

const METHODS = ['', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
const PROTOCOLS = ['', 'HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3'];
const TLS_VERSIONS = ['', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
const TYPES = [
  '',
  'TcpUpstreamConnected',
  'TcpPeriodic',
  'TcpConnectionEnd',
  'DownstreamStart',
  'DownstreamPeriodic',
  'DownstreamEnd',
  'UpstreamPoolReady',
  'UpstreamPeriodic',
  'UpstreamEnd',
  'DownstreamTunnelSuccessfullyEstablished',
  'UdpTunnelUpstreamConnected',
  'UdpPeriodic',
  'UdpSessionEnd',
];

/** `GET`, …; undefined for a method that Envoy does not define. */
export const methodWord = (value: number): string | undefined => METHODS[value] || undefined;
/** `HTTP/2`, …; undefined if unspecified. */
export const protocolWord = (value: number): string | undefined => PROTOCOLS[value] || undefined;
/** `TLSv1.3`, …; undefined if unspecified. */
export const tlsVersionWord = (value: number): string | undefined => TLS_VERSIONS[value] || undefined;
/** `DownstreamEnd`, …; undefined if Envoy sent none, the number if this list does not know it. */
export const typeWord = (value: number): string | undefined => (TYPES[value] ?? String(value)) || undefined;
