/** The roots of virtual meshes: the user's, or made at the first need. None of their keys leaves the Secret. */
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
  /** The management namespace. */
  readonly namespace: string;
  readonly now: () => Date;
}

/** What signs the intermediates of a virtual mesh, and what its members verify by. */
export interface MeshRoot {
  readonly authority: CertificateAuthority;
  readonly rootsPem: string;
}

/** The keys of the Secret, and the usual ones of Secrets with a certificate, which do as well. */
const CERTIFICATE = ['root-cert.pem', 'tls.crt'];
const KEY = ['key.pem', 'tls.key'];
const ROOTS = ['ca.crt'];

export class MeshRoots {
  readonly #options: MeshRootsOptions;

  constructor(options: MeshRootsOptions) {
    this.#options = options;
  }

  /** The root as it is, where it is there and was made already. @throws as `of` does */
  async known(issuer: CertificateIssuer): Promise<MeshRoot | undefined> {
    const { secrets, namespace } = this.#options;
    if (issuer.secret !== undefined) return this.of(issuer);
    const stored = await secrets.read(nameOf(issuer));
    return stored === undefined ? undefined : rootOf(stored, namespace);
  }

  /** The root, made where it is to be generated and is not there. @throws RelayError RELAY_E_UNAVAILABLE that names the Secret and what is wrong with it; KubeError */
  async of(issuer: CertificateIssuer): Promise<MeshRoot> {
    const { secrets, namespace } = this.#options;
    const { secret } = issuer;
    if (secret === undefined) return rootOf(await secrets.ensure(nameOf(issuer), () => this.#make(issuer)), namespace);
    const where = `Secret ${secret.namespace}/${secret.name}`;
    if (secret.namespace !== namespace)
      throw unusable(`${where} is not in the management namespace; put the root into ${namespace}`);
    const stored = await secrets.read(secret.name);
    if (stored === undefined)
      throw unusable(`${where} is not there; put the root in it: ${CERTIFICATE[0]} and ${KEY[0]}`);
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

/** The name of the Secret with the root that is made for a virtual mesh. */
function nameOf({ virtualMesh: { name, namespace } }: CertificateIssuer): string {
  return `${name}.${namespace}`;
}

function rootOf({ name, data }: StoredSecret, namespace: string): MeshRoot {
  const [certificatePem, keyPem] = [CERTIFICATE, KEY].map((names) => firstOf(data, names));
  const where = `Secret ${namespace}/${name}`;
  if (certificatePem === undefined || keyPem === undefined)
    throw unusable(
      `${where} lacks ${CERTIFICATE.join(' or ')}, or ${KEY.join(' or ')}; put the root's certificate and key there`,
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
