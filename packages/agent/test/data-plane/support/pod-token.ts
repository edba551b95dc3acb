/** Tokens in the form that a kubelet puts into pods. */
import type { TestCluster } from '@meshrelay/test-cluster';

/** A token of an account of the namespace `shop`; `pod: ''` creates one without a pod. */
export async function tokenOf(
  cluster: TestCluster,
  account: string,
  { pod = 'reviews-1', audience = 'meshrelay' }: { readonly pod?: string; readonly audience?: string } = {},
): Promise<string> {
  const boundObjectRef = pod === '' ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod } };
  const { status } = await cluster.connection.request<{ status: { token: string } }>({
    what: 'make a token',
    method: 'POST',
    path: `/api/v1/namespaces/shop/serviceaccounts/${account}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [audience], ...boundObjectRef },
    },
  });
  return status.token;
}
