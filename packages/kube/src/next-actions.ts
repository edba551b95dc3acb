/** The next action for each error code of a Kubernetes call. */
import type { KubeErrorCode } from './error-code.ts';

/** A clause each, which ends messages without an action of their own. */
export const NEXT_ACTIONS: Readonly<Record<KubeErrorCode, string>> = {
  RELAY_E_KUBE_CONFIG: 'correct the kubeconfig',
  RELAY_E_KUBE_CONFLICT: 'read the object again, and repeat the change',
  RELAY_E_KUBE_FIELD_CONFLICT: 'release the field in the other field manager, or use the same value in both',
  RELAY_E_KUBE_EXISTS: 'read the object that exists, or choose another name',
  RELAY_E_KUBE_NOT_FOUND: 'create it or its namespace, or install its CRD',
  RELAY_E_KUBE_FORBIDDEN: 'grant the ServiceAccount or user this verb, or renew the credential',
  RELAY_E_KUBE_INVALID: 'correct the object',
  RELAY_E_KUBE_EXPIRED: 'list again',
  RELAY_E_KUBE_UNAVAILABLE:
    'try again, as programs do automatically; if it repeats, check the API server and the network to it',
};
