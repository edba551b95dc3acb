/** Renews the server's own certificate: before it expires, or when the configuration has names that it lacks. */
import { isKubeError, type SecretData, type Secrets, type StoredSecret } from '@meshrelay/kube';
import { type Certificate, readCertificates, renewDue } from '@meshrelay/pki';
import type { Logger } from '@meshrelay/telemetry';
import { required } from './required.ts';

export interface ServerRenewalOptions {
  readonly secrets: Secrets;
  /** Issues another; omitted if the root's key is not available. */
  readonly issue?: () => Promise<SecretData>;
  readonly serverNames: readonly string[];
  readonly serverAddresses: readonly string[];
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Fraction of its lifetime after which the certificate is renewed: four months before its end. */
const RENEW_AFTER = 0.67;

/** The Secret to serve from: the given one, or its replacement. A user's own certificate is never replaced. */
export async function renewServer(found: StoredSecret, options: ServerRenewalOptions): Promise<StoredSecret> {
  const { issue, secrets, logger, now } = options;
  const [certificate] = readCertificates(required(found, 'tls.crt'), `Secret ${found.name}`, {
    max: 10,
    allowText: true,
  });
  const reason = certificate === undefined ? undefined : reasonToRenew(certificate, options);
  if (reason === undefined) return found;
  const fields = { secret: found.name, reason, expires: certificate?.notAfter.toISOString() };
  if (!found.managed || issue === undefined) {
    logger.warn(
      'another issuer signed the server certificate, so the server cannot renew it; put a new one into its Secret',
      fields,
    );
    return found;
  }
  try {
    const renewed = await secrets.replace(found, await issue());
    logger.info('server certificate renewed', { ...fields, at: now().toISOString() });
    return renewed;
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
    return (await secrets.read(found.name)) ?? found;
  }
}

function reasonToRenew(
  certificate: Certificate,
  { now, serverNames, serverAddresses }: ServerRenewalOptions,
): string | undefined {
  if (renewDue(certificate, now(), { fraction: RENEW_AFTER })) return 'it expires soon';
  const names = certificate.extensions.subjectAltNames ?? [];
  const dns = new Set(names.flatMap((name) => (name.kind === 'dns' ? [name.value.toLowerCase()] : [])));
  const missing = serverNames.filter((name) => !dns.has(name.toLowerCase()));
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  const addresses = names.filter(({ kind }) => kind === 'ip').length;
  return addresses < new Set(serverAddresses).size ? 'it lacks addresses' : undefined;
}
