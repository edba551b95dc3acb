/** Certificates of Bookinfo's proxies in all clusters, from one root. */
import { Authorities } from '../../../traffic/lab/authorities.ts';
import { SecretService } from '../../../traffic/lab/secret-service.ts';
import { TRUST_DOMAIN } from '../names.ts';

/** Serves them at an address that pods reach. A proxy gets those of the account that it states. */
export function serveCertificates(host: string): Promise<SecretService> {
  const authorities = new Authorities();
  return SecretService.start(host, async ({ metadata }) => {
    const { NAMESPACE, SERVICE_ACCOUNT } = metadata ?? {};
    const identity = { trustDomain: TRUST_DOMAIN, namespace: String(NAMESPACE), account: String(SERVICE_ACCOUNT) };
    const certificate = await authorities.issue('bookinfo', identity);
    return { ...certificate, trusted: await authorities.trusted('bookinfo', [TRUST_DOMAIN]) };
  });
}
