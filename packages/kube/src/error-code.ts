/** Error codes of Kubernetes calls. */

export type KubeErrorCode =
  /** A kubeconfig is unreadable or unusable. */
  | 'RELAY_E_KUBE_CONFIG'
  /** The object changed since it was read, or a precondition does not hold: read again. */
  | 'RELAY_E_KUBE_CONFLICT'
  /** Server-side apply: another field manager owns a field with another value. */
  | 'RELAY_E_KUBE_FIELD_CONFLICT'
  /** An object of this name already exists. */
  | 'RELAY_E_KUBE_EXISTS'
  /** The object, its namespace or its kind does not exist. */
  | 'RELAY_E_KUBE_NOT_FOUND'
  /** The credential is rejected or lacks a permission. */
  | 'RELAY_E_KUBE_FORBIDDEN'
  /** The server rejects the object itself. */
  | 'RELAY_E_KUBE_INVALID'
  /** A resourceVersion or continue token is too old: list again. */
  | 'RELAY_E_KUBE_EXPIRED'
  /** No answer, or the server is temporarily unable to answer. */
  | 'RELAY_E_KUBE_UNAVAILABLE';
