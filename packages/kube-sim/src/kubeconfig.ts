/** Kubeconfig files for the simulator. */
import { Buffer } from 'node:buffer';
import { stringify } from 'yaml';

/** One cluster and one user for a kubeconfig. */
export interface KubeconfigOptions {
  readonly name: string;
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly credential: { readonly token: string } | { readonly certificate: string; readonly key: string };
}

/** The text of a kubeconfig whose only context is `name`. */
export function kubeconfig({ name, url, ca, credential }: KubeconfigOptions): string {
  const user =
    'token' in credential
      ? { token: credential.token }
      : { 'client-certificate-data': base64(credential.certificate), 'client-key-data': base64(credential.key) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    contexts: [{ name, context: { cluster: name, user: `${name}-admin` } }],
    users: [{ name: `${name}-admin`, user }],
    preferences: {},
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
