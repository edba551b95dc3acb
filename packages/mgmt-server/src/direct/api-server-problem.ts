/** Messages about an API server that rejects or does not answer the server's requests. */
import { LeaseRequestError } from '@meshrelay/agent-leader';

export interface Requested {
  readonly cluster: string;
  /** Namespace and name of the Secret with the kubeconfig; undefined for the server's own credential. */
  readonly secret: string | undefined;
}

/** The reason, and the action to take. */
export function problemText(failure: Error, { cluster, secret }: Requested): string {
  const credential = secret === undefined ? "the server's own ServiceAccount" : `the kubeconfig in Secret ${secret}`;
  if (!(failure instanceof LeaseRequestError) || !failure.isDenied)
    return `its API server does not answer as expected (${failure.message}); check the API server, its address in ${credential}, and the network to it`;
  if (failure.status === 403)
    return `its API server denies ${credential} a permission (${failure.message}); grant the RBAC of meshctl cluster rbac --direct`;
  const next =
    secret === undefined
      ? 'give the server a valid token'
      : `replace it by one with a valid token: meshctl cluster register ${cluster} --direct FILE`;
  return `its API server does not accept the token of ${credential} (${failure.message}); ${next}`;
}
