/** The relay's certificates, from the Secrets of the management namespace; made at the first start where there are none. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import {
  trustDomain as asTrustDomain,
  type CertificateAuthority,
  createCsr,
  createIntermediate,
  createRoot,
  generateKey,
  issueServerCertificate,
  readAuthority,
  readTrustBundle,
  type TrustBundle,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import type { RelayServerTls } from '@meshrelay/relay-protocol';
import { SECRET } from '../input/secret.ts';

export const ROOT_SECRET = 'relay-root-tls-secret';
export const SIGNING_SECRET = 'relay-tls-signing-secret';
export const SERVER_SECRET = 'relay-server-tls-secret';

export interface RelayAuthorities {
  readonly tls: RelayServerTls;
  /** Signs agents' certificates. */
  readonly signing: CertificateAuthority;
  readonly roots: TrustBundle;
  readonly rootsPem: string;
  /** The issuer of agents' certificates, and what is between it and the root. */
  readonly signingPem: string;
}

export interface AuthorityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly trustDomain: string;
  readonly serverNames: readonly string[];
  readonly serverAddresses: readonly string[];
  readonly now: () => Date;
}

type SecretData = Readonly<Record<string, string>>;
const ROOT_DAYS = 3650;
const SIGNING_DAYS = 1825;
const SERVER_DAYS = 365;

/** Reads the three Secrets. Each that is missing is made, by whichever replica is first. */
export async function loadAuthorities(options: AuthorityOptions): Promise<RelayAuthorities> {
  const root = await ensure(options, ROOT_SECRET, () => makeRoot(options));
  const signing = await ensure(options, SIGNING_SECRET, () => makeSigning(options, root));
  const server = await ensure(options, SERVER_SECRET, () => makeServer(options, root));
  const rootsPem = required(root, ROOT_SECRET, 'ca.crt');
  const signingPem = required(signing, SIGNING_SECRET, 'tls.crt');
  return {
    tls: {
      key: required(server, SERVER_SECRET, 'tls.key'),
      certificate: required(server, SERVER_SECRET, 'tls.crt'),
      clientRoots: `${rootsPem}\n${signingPem}`,
    },
    signing: readAuthority({ certificatePem: signingPem, keyPem: required(signing, SIGNING_SECRET, 'tls.key') }),
    roots: readTrustBundle(rootsPem),
    rootsPem,
    signingPem,
  };
}

async function makeRoot({ trustDomain, now }: AuthorityOptions): Promise<SecretData> {
  const root = await createRoot({
    commonName: 'Meshrelay relay root',
    trustDomain: asTrustDomain(trustDomain),
    days: ROOT_DAYS,
    now: now(),
  });
  const certificate = writeCertificates([root.certificate]);
  return { 'ca.crt': certificate, 'tls.crt': certificate, 'tls.key': writePrivateKey(root.key) };
}

async function makeSigning({ trustDomain, now }: AuthorityOptions, root: SecretData): Promise<SecretData> {
  const key = await generateKey('relay-ca');
  const issued = await createIntermediate({
    ca: rootAuthority(root),
    csrPem: await createCsr({ key }),
    commonName: 'Meshrelay agent issuer',
    trustDomain: asTrustDomain(trustDomain),
    constrained: true,
    days: SIGNING_DAYS,
    now: now(),
  });
  if (!issued.ok) throw new Error(`${SIGNING_SECRET} cannot be made: ${issued.message}`);
  return { 'tls.crt': issued.chainPem, 'tls.key': writePrivateKey(key), 'ca.crt': root['ca.crt'] ?? '' };
}

async function makeServer(
  { serverNames, serverAddresses, now }: AuthorityOptions,
  root: SecretData,
): Promise<SecretData> {
  const key = await generateKey('relay-server');
  const issued = await issueServerCertificate({
    ca: rootAuthority(root),
    key,
    dnsNames: serverNames,
    ipAddresses: serverAddresses,
    days: SERVER_DAYS,
    now: now(),
  });
  if (!issued.ok) throw new Error(`${SERVER_SECRET} cannot be made: ${issued.message}`);
  return { 'tls.crt': issued.chainPem, 'tls.key': writePrivateKey(key), 'ca.crt': root['ca.crt'] ?? '' };
}

function rootAuthority(root: SecretData): CertificateAuthority {
  const certificatePem = root['tls.crt'] ?? root['ca.crt'] ?? '';
  return readAuthority({ certificatePem, keyPem: required(root, ROOT_SECRET, 'tls.key') });
}

function required(data: SecretData, secret: string, name: string): string {
  const value = data[name];
  if (value === undefined || value === '')
    throw new Error(`Secret ${secret} has no key ${name}; add it, or delete the Secret to have it made anew`);
  return value;
}

async function ensure(
  { connection, namespace }: AuthorityOptions,
  name: string,
  make: () => Promise<SecretData>,
): Promise<SecretData> {
  const secrets = connection.objects(SECRET);
  const found = await secrets.read({ namespace, name });
  if (found !== undefined) return decoded(found);
  const data = await make();
  try {
    await secrets.create(secretObject(namespace, name, data));
    return data;
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
    const other = await secrets.read({ namespace, name });
    if (other === undefined) throw error;
    return decoded(other);
  }
}

function decoded(secret: KubeObject): SecretData {
  const { data = {} } = secret as KubeObject & { readonly data?: SecretData };
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

function secretObject(namespace: string, name: string, data: SecretData): KubeObject {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, Buffer.from(value).toString('base64')]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: encoded,
  } as unknown as KubeObject;
}
