/**
 * Client certificates of issuers that are not the relay's: the exact rules of the configuration map each to a cluster.
 */
import { shortList } from '@meshrelay/api';
import type { Secrets } from '@meshrelay/kube';
import {
  type ClientNames,
  PkiError,
  readTrustBundle,
  type TrustBundle,
  trustBundle,
  type VerifiedClient,
  verifyClient,
} from '@meshrelay/pki';
import type { Logger } from '@meshrelay/telemetry';
import { type ClientIssuerConfig, type ClientName, nameOf } from '../config/client-identity.ts';

/** An accepted issuer. */
export interface ClientIssuer {
  readonly secretName: string;
  /** CA certificates of the issuer; empty if the Secret is missing. */
  readonly trusted: TrustBundle;
  /** Clusters by certificate name. */
  readonly clusters: ReadonlyMap<string, string>;
}

/** Reads the Secrets of the issuers. @throws KubeError, or Error that names the Secret whose `ca.crt` cannot be read */
export function loadClientIssuers(
  configured: readonly ClientIssuerConfig[],
  secrets: Secrets,
  logger: Logger,
): Promise<ClientIssuer[]> {
  return Promise.all(
    configured.map(async ({ caSecretName: secretName, clusters }) => {
      const pem = (await secrets.read(secretName))?.data['ca.crt'] ?? '';
      if (pem === '')
        logger.warn('no certificate of this issuer is accepted, because its Secret with ca.crt is missing', {
          object: `Secret ${secretName}`,
        });
      const rules = clusters.map((rule) => [nameOf(rule), rule.cluster] as const);
      return { secretName, trusted: pem === '' ? trustBundle([]) : read(secretName, pem), clusters: new Map(rules) };
    }),
  );
}

function read(secretName: string, pem: string): TrustBundle {
  try {
    return readTrustBundle(pem);
  } catch (cause) {
    throw new PkiError('RELAY_E_PKI_MALFORMED', `Secret ${secretName}: ca.crt holds no readable certificates`, {
      cause,
    });
  }
}

/** The cluster of a certificate with its verified data, or why it maps to none. */
export type MappedClient =
  | { readonly cluster: string; readonly verified: VerifiedClient }
  | { readonly refused: string };

/** Verifies a certificate by all issuers. It maps to a cluster if all matching rules name the same one. */
export function mapClient(issuers: readonly ClientIssuer[], certificatePem: string, now: Date): MappedClient {
  const clusters = new Map<string, VerifiedClient>();
  let vouched: ClientNames | undefined;
  const reasons = new Set<string>();
  for (const { trusted, clusters: rules } of issuers) {
    const verified = verifyClient({ chain: certificatePem, roots: trusted, now });
    if (!verified.ok) {
      reasons.add(verified.message);
      continue;
    }
    vouched = verified.names;
    for (const name of reported(verified.names)) {
      const cluster = rules.get(name);
      if (cluster !== undefined) clusters.set(cluster, verified);
    }
  }
  const [found, ...more] = clusters;
  if (more.length > 0)
    return {
      refused: `relay.clientIdentity maps the certificate to several clusters (${[...clusters.keys()].sort().join(', ')}); issue a separate certificate for each`,
    };
  if (found !== undefined) return { cluster: found[0], verified: found[1] };
  return {
    refused:
      vouched === undefined ? [...reasons].join('; ') : `no rule of relay.clientIdentity is for ${shown(vouched)}`,
  };
}

/** The names in the form that rules are looked up by. */
function reported({ uris, dnsNames, commonNames }: ClientNames): string[] {
  const as = (kind: ClientName, values: readonly string[]): string[] =>
    values.map((value) => nameOf({ [kind]: value }));
  return [...as('uri', uris), ...as('dnsName', dnsNames), ...as('commonName', commonNames)];
}

const SHOWN = 5;

/** Formats the names of a certificate that a trusted issuer signed. */
function shown(names: ClientNames): string {
  const all = reported(names).map((name) => JSON.stringify(name));
  return all.length === 0 ? 'a certificate without names' : shortList(all, SHOWN);
}
