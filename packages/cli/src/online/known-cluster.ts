/** Whether a cluster was ever registered: a misspelled name must not look like a cluster whose identity was revoked. */
import { nearest } from '@meshrelay/api';
import { meshrelayKind, Secrets } from '@meshrelay/kube';
import { CERTIFICATES_SECRET, readCertificateBook, readTokenBook, TOKENS_SECRET } from '@meshrelay/pki';
import { InputError } from '../problem.ts';
import type { TokenPlace } from './tokens.ts';

/**
 * @returns whether it is registered now
 * @throws InputError for a name that is not registered, and never had a certificate or a token
 */
export async function refuseUnknownCluster(
  { management, namespace }: Pick<TokenPlace, 'management' | 'namespace'>,
  name: string,
): Promise<boolean> {
  const secrets = new Secrets(management, namespace);
  const clusters = await management.objects(meshrelayKind('KubernetesCluster')).list({ namespace });
  const certificates = readCertificateBook((await secrets.read(CERTIFICATES_SECRET))?.data);
  const tokens = readTokenBook((await secrets.read(TOKENS_SECRET))?.data ?? {});
  const registered = clusters.map(({ metadata }) => metadata.name);
  const known = [...registered, ...certificates.clusters.keys(), ...tokens.records.map(({ cluster }) => cluster)];
  if (known.includes(name)) return registered.includes(name);
  const meant = nearest(name, known);
  throw new InputError(
    `cluster ${name} is unknown: no KubernetesCluster ${namespace}/${name}, no certificate and no token; ${
      meant === undefined ? 'meshctl cluster list shows the registered clusters' : `did you mean ${meant}?`
    }`,
  );
}
