/** Roots of virtual meshes: the user's, or generated at first need. Their keys never leave the Secret. */
import { type CertificateIssuer, ROOT_DAYS } from '@meshrelay/api';
import type { SecretData, Secrets, StoredSecret } from '@meshrelay/kube';
import {
  trustDomain as asTrustDomain,
  type CertificateAuthority,
  createRoot,
  readAuthority,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { RelayError } from '@meshrelay/relay-protocol';

export interface MeshRootsOptions {
  readonly secrets: Pick<Secrets, 'ensure' | 'read'>;
  readonly namespace: string;
  readonly now: () => Date;
}

/** Signs the intermediates of a virtual mesh, and verifies its members. */
export interface MeshRoot {
  readonly authority: CertificateAuthority;
  readonly rootsPem: string;
}

/** Accepted keys of the Secret; the usual keys of TLS Secrets work too. */
const CERTIFICATE = ['root-cert.pem', 'tls.crt'];
const KEY = ['key.pem', 'tls.key'];
const ROOTS = ['ca.crt'];

export class MeshRoots {
  readonly #options: MeshRootsOptions;

  constructor(options: MeshRootsOptions) {
    this.#options = options;
  }

  /** The root, if it exists already. @throws as `of` does */
  async known(issuer: CertificateIssuer): Promise<MeshRoot | undefined> {
    const { secrets, namespace } = this.#options;
    if (issuer.secret !== undefined) return this.of(issuer);
    const stored = await secrets.read(nameOf(issuer));
    return stored === undefined ? undefined : rootOf(stored, namespace);
  }

  /**
   * The root; generated if it must be and does not exist. @throws RelayError RELAY_E_UNAVAILABLE naming the Secret and
   * its fault; KubeError
   */
  async of(issuer: CertificateIssuer): Promise<MeshRoot> {
    const { secrets, namespace } = this.#options;
    const { secret } = issuer;
    if (secret === undefined) return rootOf(await secrets.ensure(nameOf(issuer), () => this.#make(issuer)), namespace);
    const where = `Secret ${secret.namespace}/${secret.name}`;
    if (secret.namespace !== namespace)
      throw unusable(`${where} is not in the management namespace; create the Secret in ${namespace}`);
    const stored = await secrets.read(secret.name);
    if (stored === undefined)
      throw unusable(`${where} does not exist; create it with the root: ${CERTIFICATE[0]} and ${KEY[0]}`);
    return rootOf(stored, namespace);
  }

  /** The Secret of the root, `namespace/name`. */
  secretOf(issuer: CertificateIssuer): string {
    const { secret = { namespace: this.#options.namespace, name: nameOf(issuer) } } = issuer;
    return `${secret.namespace}/${secret.name}`;
  }

  async #make({ virtualMesh, generated = {} }: CertificateIssuer): Promise<SecretData> {
    const { now } = this.#options;
    const { ttlDays = ROOT_DAYS, orgName, rsaKeySizeBytes } = generated;
    const root = await createRoot({
      commonName: `${virtualMesh.name}.${virtualMesh.namespace} root`,
      trustDomain: asTrustDomain(`${virtualMesh.name}.${virtualMesh.namespace}`),
      days: ttlDays,
      now: now(),
      keyPurpose: 'mesh-ca',
      ...(orgName === undefined ? {} : { organization: orgName }),
      ...(rsaKeySizeBytes === undefined ? {} : { keyBits: rsaKeySizeBytes }),
    });
    return { 'root-cert.pem': writeCertificates([root.certificate]), 'key.pem': writePrivateKey(root.key) };
  }
}

/** Name of the Secret with the generated root of a virtual mesh. */
function nameOf({ virtualMesh: { name, namespace } }: CertificateIssuer): string {
  return `${name}.${namespace}`;
}

function rootOf({ name, data }: StoredSecret, namespace: string): MeshRoot {
  const [certificatePem, keyPem] = [CERTIFICATE, KEY].map((names) => firstOf(data, names));
  const where = `Secret ${namespace}/${name}`;
  if (certificatePem === undefined || keyPem === undefined)
    throw unusable(
      `${where} lacks ${CERTIFICATE.join(' or ')}, or ${KEY.join(' or ')}; add the certificate and key of the root`,
    );
  try {
    const rootsPem = 'tls.crt' in data && !('root-cert.pem' in data) ? firstOf(data, ROOTS) : undefined;
    return { authority: readAuthority({ certificatePem, keyPem }), rootsPem: rootsPem ?? certificatePem };
  } catch (cause) {
    throw new RelayError('RELAY_E_UNAVAILABLE', `${where} holds no usable root: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function firstOf(data: SecretData, names: readonly string[]): string | undefined {
  return names.map((name) => data[name]).find((text) => text !== undefined && text !== '');
}

function unusable(message: string): RelayError {
  return new RelayError('RELAY_E_UNAVAILABLE', message);
}
