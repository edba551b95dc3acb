/** Identifies a peer by its presented chain: the only way for identities to enter. */
import { OID } from '../asn1/oids.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { isMalformed } from '../pki-error.ts';
import { readAgentIdentity } from '../spiffe/agent-identity.ts';
import { type SpiffeId, spiffeIdParts, type TrustDomain } from '../spiffe/spiffe-id.ts';
import type { Path } from './check-path.ts';
import { findTrusted, type Presented } from './find-trusted.ts';
import { isForServer } from './server-name.ts';
import { readSvid } from './svid.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** The expected peer. */
export type PeerExpectation =
  /** An agent of any cluster in the relay's trust domain. */
  | { readonly purpose: 'agent'; readonly trustDomain: TrustDomain }
  /** A relay server with the dialled name. */
  | { readonly purpose: 'server'; readonly serverName: string };

/** A chain and the values it is verified against. */
export type VerifyOptions = PeerExpectation &
  Presented & {
    /**
     * Days after its end in which an agent's certificate is still accepted; for renewal only, which also requires proof
     * of the key.
     */
    readonly graceDays?: number;
  };

/** A peer whose chain satisfies every rule. */
export interface VerifiedPeer {
  readonly ok: true;
  /** An agent's SPIFFE ID, or the dialled server name. */
  readonly identity: SpiffeId | string;
  /** The agent's cluster; undefined for a server. */
  readonly cluster?: string;
  /** End of the leaf. */
  readonly expiry: Date;
  /** Whether it has already ended (only with `graceDays`). */
  readonly expired: boolean;
  /** The leaf's serial number, hex. */
  readonly serial: string;
  /** SHA-256 of the leaf, hex. */
  readonly fingerprint: string;
  readonly certificate: Certificate;
  /** Leaf first, trusted root last. */
  readonly path: Path;
}

const DAY = 86_400_000;

/** Verifies a peer's chain. Never throws for data from the peer. */
export function verifyPeer(options: VerifyOptions): VerifiedPeer | VerifyFailure {
  try {
    return verify(options);
  } catch (error) {
    if (isMalformed(error)) return refuse('malformed', error.message);
    throw error;
  }
}

function verify(options: VerifyOptions): VerifiedPeer | VerifyFailure {
  const { now } = options;
  const trusted = findTrusted(options, {
    usage: options.purpose === 'agent' ? 'client' : 'server',
    leafGrace: (options.graceDays ?? 0) * DAY,
  });
  if (!trusted.ok) return trusted;
  const [leaf] = trusted.path;
  const who =
    options.purpose === 'agent'
      ? verifyAgent(trusted.path, options.trustDomain)
      : verifyServer(leaf, options.serverName);
  if (!who.ok) return who;
  return {
    ...who,
    expiry: leaf.notAfter,
    expired: now > leaf.notAfter,
    serial: leaf.serial,
    fingerprint: leaf.fingerprint,
    certificate: leaf,
    path: trusted.path,
  };
}

function verifyAgent(
  path: Path,
  trustDomain: TrustDomain,
): { ok: true; identity: SpiffeId; cluster: string } | VerifyFailure {
  const [leaf, ...above] = path;
  const svid = readSvid(leaf, above.slice(0, -1));
  if (!svid.ok) return svid;
  if (leaf.extensions.extendedKeyUsage?.includes(OID.clientAuth) !== true) {
    return refuse('extended-key-usage', 'leaf certificate: extended key usage clientAuth is missing');
  }
  if (spiffeIdParts(svid.identity).trustDomain !== trustDomain) {
    return refuse(
      'trust-domain',
      `leaf certificate: ${svid.identity} is not of the relay's trust domain ${trustDomain}`,
    );
  }
  const agent = readAgentIdentity(svid.identity);
  if (agent === undefined) return refuse('identity', `leaf certificate: ${svid.identity} is not an agent's identity`);
  return { ok: true, identity: svid.identity, cluster: agent.cluster };
}

function verifyServer(leaf: Certificate, serverName: string): { ok: true; identity: string } | VerifyFailure {
  if (leaf.extensions.extendedKeyUsage?.includes(OID.serverAuth) !== true) {
    return refuse('extended-key-usage', 'leaf certificate: extended key usage serverAuth is missing');
  }
  return isForServer(leaf, serverName)
    ? { ok: true, identity: serverName }
    : refuse('server-name', `leaf certificate: none of its names is ${serverName}; set relay.authority to one of them`);
}
