/** The relay's certificates, from the Secrets of the management namespace; generated at the first start if missing. */

import type { KeyObject } from 'node:crypto';
import { type KubeConnection, type SecretData, Secrets, type StoredSecret } from '@meshrelay/kube';
import {
  trustDomain as asTrustDomain,
  type CertificateAuthority,
  createCsr,
  createIntermediate,
  createRoot,
  generateKey,
  issueServerCertificate,
  NEXT_ROOT_SECRET,
  readAuthority,
  readTrustBundle,
  type TrustBundle,
  writeCertificates,
  writePrivateKey,
  writeTrustBundle,
} from '@meshrelay/pki';
import { ROOT_SECRET, SERVER_SECRET, SIGNING_SECRET } from '@meshrelay/relay-core';
import type { RelayServerTls } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { ClientIssuerConfig } from '../config/client-identity.ts';
import { type ClientIssuer, loadClientIssuers } from './client-issuers.ts';
import { required } from './required.ts';
import { renewServer } from './server-renewal.ts';

export interface RelayAuthorities {
  readonly tls: RelayServerTls;
  /** Signs agents' certificates. */
  readonly signing: CertificateAuthority;
  readonly roots: TrustBundle;
  readonly rootsPem: string;
  /**
   * The issuer of agents' certificates, its intermediates below the root, and earlier issuers whose certificates are
   * still valid.
   */
  readonly signingPem: string;
  /** Issuers of client certificates that are not the relay's. */
  readonly clientIssuers: readonly ClientIssuer[];
  /** Whether the root is being rotated. */
  readonly rotating: boolean;
}

export interface AuthorityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly trustDomain: string;
  readonly serverNames: readonly string[];
  readonly serverAddresses: readonly string[];
  readonly clientIdentity: readonly ClientIssuerConfig[];
  readonly now: () => Date;
  readonly logger: Logger;
}

const ROOT_DAYS = 3650;
const SIGNING_DAYS = 1825;
const SERVER_DAYS = 365;

/**
 * Reads the three Secrets. The first replica generates each that is missing. A generated server certificate is
 * regenerated when it nears expiry or lacks a name. @throws KubeError, PkiError, or Error that names the Secret
 */
export async function loadAuthorities(options: AuthorityOptions): Promise<RelayAuthorities> {
  const secrets = new Secrets(options.connection, options.namespace);
  const keys = await keysOfMissing(secrets);
  const root = await secrets.ensure(ROOT_SECRET, () => makeRoot(options, keys));
  const signing = await secrets.ensure(SIGNING_SECRET, () => makeSigning(options, root, keys));
  const issue = (): Promise<SecretData> => makeServer(options, root, keys);
  const found = await secrets.ensure(SERVER_SECRET, issue);
  const server = await renewServer(found, { ...options, secrets, ...('tls.key' in root.data ? { issue } : {}) });
  const rootsPem = required(root, 'ca.crt');
  const { 'previous.crt': previousPem = '' } = signing.data;
  const clientIssuers = await loadClientIssuers(options.clientIdentity, secrets, options.logger);
  const signingPem = `${required(signing, 'tls.crt')}\n${previousPem}`.trim();
  return {
    tls: {
      key: required(server, 'tls.key'),
      certificate: required(server, 'tls.crt'),
      clientRoots: [rootsPem, signingPem, ...clientIssuers.map(({ trusted }) => writeTrustBundle(trusted))].join('\n'),
    },
    signing: readAuthority({ certificatePem: required(signing, 'tls.crt'), keyPem: required(signing, 'tls.key') }),
    roots: readTrustBundle(rootsPem),
    rootsPem,
    signingPem,
    clientIssuers,
    rotating: (await secrets.read(NEXT_ROOT_SECRET)) !== undefined,
  };
}

/** A new key for a Secret, generated at the latest when it is requested. */
type NewKeys = (secret: keyof typeof KEYS) => Promise<KeyObject>;

const KEYS = { [ROOT_SECRET]: 'relay-ca', [SIGNING_SECRET]: 'relay-ca', [SERVER_SECRET]: 'relay-server' } as const;

/** Generates the keys of all missing Secrets at once: each takes tenths of a second. */
async function keysOfMissing(secrets: Secrets): Promise<NewKeys> {
  const names = Object.keys(KEYS) as (keyof typeof KEYS)[];
  const found = await Promise.all(names.map(async (name) => [name, await secrets.read(name)] as const));
  const early = new Map(
    found.flatMap(([name, secret]) => {
      if (secret !== undefined) return [];
      const key = generateKey(KEYS[name]);
      // The function that requests the key gets the error.
      key.catch(() => {});
      return [[name, key] as const];
    }),
  );
  return (name) => {
    const key = early.get(name) ?? generateKey(KEYS[name]);
    early.delete(name);
    return key;
  };
}

async function makeRoot({ trustDomain, now }: AuthorityOptions, keys: NewKeys): Promise<SecretData> {
  const root = await createRoot({
    commonName: 'Meshrelay relay root',
    trustDomain: asTrustDomain(trustDomain),
    days: ROOT_DAYS,
    now: now(),
    key: await keys(ROOT_SECRET),
  });
  const certificate = writeCertificates([root.certificate]);
  return { 'ca.crt': certificate, 'tls.crt': certificate, 'tls.key': writePrivateKey(root.key) };
}

async function makeSigning(
  { trustDomain, now }: AuthorityOptions,
  root: StoredSecret,
  keys: NewKeys,
): Promise<SecretData> {
  const key = await keys(SIGNING_SECRET);
  const issued = await createIntermediate({
    ca: rootAuthority(root),
    csrPem: await createCsr({ key }),
    commonName: 'Meshrelay agent issuer',
    trustDomain: asTrustDomain(trustDomain),
    // Who verifies agents requires their exact names. A name constraint would exclude Deno, which supports none on URIs.
    constrained: false,
    days: SIGNING_DAYS,
    now: now(),
  });
  if (!issued.ok) throw new Error(`${SIGNING_SECRET} cannot be made: ${issued.message}`);
  return { 'tls.crt': issued.chainPem, 'tls.key': writePrivateKey(key), 'ca.crt': required(root, 'ca.crt') };
}

async function makeServer(
  { serverNames, serverAddresses, now }: AuthorityOptions,
  root: StoredSecret,
  keys: NewKeys,
): Promise<SecretData> {
  const key = await keys(SERVER_SECRET);
  const issued = await issueServerCertificate({
    ca: rootAuthority(root),
    key,
    dnsNames: serverNames,
    ipAddresses: serverAddresses,
    days: SERVER_DAYS,
    now: now(),
  });
  if (!issued.ok) throw new Error(`${SERVER_SECRET} cannot be made: ${issued.message}`);
  return { 'tls.crt': issued.chainPem, 'tls.key': writePrivateKey(key), 'ca.crt': required(root, 'ca.crt') };
}

/** Signs the other two. @throws Error if the Secret is the user's and holds no key */
function rootAuthority(root: StoredSecret): CertificateAuthority {
  const certificatePem = root.data['tls.crt'] ?? root.data['ca.crt'] ?? '';
  return readAuthority({ certificatePem, keyPem: required(root, 'tls.key') });
}
