/**
 * One CA of a mesh. Generates its key in the cluster, requests the server's signature or signs it itself, and writes
 * the Secret that the mesh reads.
 */
import { hash, type KeyObject } from 'node:crypto';
import {
  INTERMEDIATE_DAYS,
  type IssuedCertificate,
  type IssuedCertificateSpec,
  type IssuedCertificateStatus,
  RENEWED_WITH,
  ROOT_DAYS,
} from '@meshrelay/api';
import type { SecretData, Secrets, StoredSecret } from '@meshrelay/kube';
import {
  acceptIntermediate,
  trustDomain as asTrustDomain,
  type Certificate,
  createCsr,
  createRoot,
  formatSpiffeId,
  type KeyPurpose,
  readCertificates,
  renewAt,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { ISSUED_FOR_LABEL, MESH_SECRETS, WORKLOAD_CA_SECRET } from '@meshrelay/relay-core';
import type { SignRequest, SignResponse } from '@meshrelay/relay-protocol';

/** Hash of the requested spec: if it changes, the certificate is issued again. */
const REQUESTED_LABEL = 'meshrelay.dev/issued-spec';

export interface MeshCertificateOptions {
  /** Secrets of a namespace. */
  readonly secrets: (namespace: string) => Pick<Secrets, 'read' | 'create' | 'replace'>;
  /** Requests a signature from the server; undefined without a connection. @throws RelayError */
  readonly sign: (request: SignRequest) => Promise<SignResponse> | undefined;
  readonly makeKey: (
    purpose: Extract<KeyPurpose, 'mesh-intermediate' | 'workload-ca'>,
    bits: number | undefined,
  ) => Promise<KeyObject>;
  /** Called right before a write. @throws FencedError */
  readonly check: () => void;
  readonly now: () => Date;
}

/**
 * Reconciles one Secret with its desired state; does nothing if it matches. A Secret that another owner wrote stays
 * unchanged.
 * @returns the resulting status
 * @throws RelayError, KubeError, FencedError: nothing was changed
 */
export async function bringCertificate(
  object: IssuedCertificate,
  options: MeshCertificateOptions,
): Promise<IssuedCertificateStatus> {
  const { spec, metadata } = object;
  const { name, namespace = '' } = metadata;
  const where = `Secret ${namespace}/${spec.secretName}`;
  if (!MESH_SECRETS.includes(spec.secretName))
    return sent(
      'FAILED',
      `${where} is not written, because no mesh reads its CA from it; use one of ${MESH_SECRETS.join(', ')}`,
    );
  const secrets = options.secrets(namespace);
  const stored = await secrets.read(spec.secretName);
  if (stored !== undefined && labelOf(stored, ISSUED_FOR_LABEL) !== name)
    return sent(
      'FOREIGN',
      `${where} was not created by Meshrelay and is left alone; delete it so that the agent can store this certificate there`,
    );
  const present = stored === undefined ? undefined : usable(stored, spec, options.now());
  if (present !== undefined) return issued(present, spec);
  const made = await (spec.issuer.selfSigned === undefined ? signedByServer : signedHere)(object, options);
  if ('state' in made) return made;
  const labels = { [ISSUED_FOR_LABEL]: name, [REQUESTED_LABEL]: requestedOf(spec) };
  options.check();
  if (stored === undefined) await secrets.create(spec.secretName, made.data, { labels });
  else await secrets.replace(withLabels(stored, labels), made.data);
  return issued(made.certificate, spec);
}

/** A CA that was issued, as the Secret stores it. */
interface Made {
  readonly certificate: Certificate;
  readonly data: SecretData;
}

/** An intermediate under the root of the virtual mesh. */
async function signedByServer(
  { spec, metadata: { name, namespace = '' } }: IssuedCertificate,
  { makeKey, sign, now }: MeshCertificateOptions,
): Promise<Made | IssuedCertificateStatus> {
  const key = await makeKey('mesh-intermediate', spec.options?.rsaKeySizeBytes);
  const trustDomain = asTrustDomain(spec.trustDomain);
  const csrPem = await createCsr({ key, uri: formatSpiffeId(trustDomain) });
  const signing = sign({ namespace, name, csrPem });
  if (signing === undefined)
    return sent('PENDING', 'the agent is not connected to the server, which signs the certificate');
  const accepted = acceptIntermediate({ ...(await signing), key, trustDomain, now: now() });
  if (!accepted.ok)
    return sent('FAILED', `the certificate from the server cannot be used: ${accepted.message}. ${accepted.next}`);
  return {
    certificate: accepted.certificate,
    data: {
      'ca-cert.pem': accepted.certificatePem,
      'ca-key.pem': writePrivateKey(key),
      'cert-chain.pem': accepted.chainPem,
      'root-cert.pem': accepted.rootsPem,
    },
  };
}

/** A root of the cluster's own: it needs no other signer, and only this cluster trusts it. */
async function signedHere({ spec }: IssuedCertificate, { makeKey, now }: MeshCertificateOptions): Promise<Made> {
  const { rsaKeySizeBytes, ttlDays = ROOT_DAYS, orgName } = spec.options ?? {};
  const key = await makeKey('workload-ca', rsaKeySizeBytes);
  const { certificate } = await createRoot({
    commonName: `${spec.trustDomain} root`,
    trustDomain: asTrustDomain(spec.trustDomain),
    days: ttlDays,
    now: now(),
    key,
    ...(orgName === undefined ? {} : { organization: orgName }),
  });
  const pem = writeCertificates([certificate]);
  return {
    certificate,
    data: { 'ca-cert.pem': pem, 'ca-key.pem': writePrivateKey(key), 'cert-chain.pem': pem, 'root-cert.pem': pem },
  };
}

/** The existing certificate, if it matches the spec and is valid for long enough. */
function usable({ data, object }: StoredSecret, spec: IssuedCertificateSpec, now: Date): Certificate | undefined {
  if (object.metadata.labels?.[REQUESTED_LABEL] !== requestedOf(spec) || data['ca-key.pem'] === undefined)
    return undefined;
  try {
    const [certificate] = readCertificates(data['ca-cert.pem'] ?? '', 'ca-cert.pem', { max: 1 });
    return certificate !== undefined && now < dueAt(certificate, spec) ? certificate : undefined;
  } catch {
    // Corrupt: issued again.
    return undefined;
  }
}

function dueAt(certificate: Certificate, { options }: IssuedCertificateSpec): Date {
  return renewAt(certificate, { fraction: 1 - (options?.secretRotationGracePeriodRatio ?? RENEWED_WITH) });
}

function issued(certificate: Certificate, spec: IssuedCertificateSpec): IssuedCertificateStatus {
  const { serial: serialNumber, notAfter } = certificate;
  const { secretName } = spec;
  const how =
    secretName === WORKLOAD_CA_SECRET ? 'agents issue from it immediately' : 'restart the control plane to load it';
  const message = `in Secret ${secretName}; ${how}${shortened(certificate, spec)}`;
  return { state: 'ISSUED', message, serialNumber, notAfter: notAfter.toISOString() };
}

const DAY_MS = 86_400_000;

/** Message for a certificate with a shorter lifetime than requested: none outlives its issuer. */
function shortened({ notBefore, notAfter }: Certificate, { issuer, options = {} }: IssuedCertificateSpec): string {
  const { ttlDays = issuer.selfSigned === undefined ? INTERMEDIATE_DAYS : ROOT_DAYS } = options;
  if (notAfter.getTime() - notBefore.getTime() >= ttlDays * DAY_MS) return '';
  return `; it expires with the root of the virtual mesh, on ${notAfter.toISOString()}, before ${ttlDays} days: replace the root, or lower intermediateCertOptions.ttlDays`;
}

function sent(state: IssuedCertificateStatus['state'], message: string): IssuedCertificateStatus {
  return { state, message };
}

function requestedOf(spec: IssuedCertificateSpec): string {
  return hash('sha256', JSON.stringify(spec), 'hex').slice(0, 32);
}

function labelOf({ object }: StoredSecret, label: string): string | undefined {
  return object.metadata.labels?.[label];
}

function withLabels(stored: StoredSecret, labels: Readonly<Record<string, string>>): StoredSecret {
  const { object } = stored;
  const metadata = { ...object.metadata, labels: { ...object.metadata.labels, ...labels } };
  return { ...stored, object: { ...object, metadata } };
}
