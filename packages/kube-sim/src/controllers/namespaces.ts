/** Objects that every namespace has from the start: a default ServiceAccount and the cluster's root certificate. */
import type { ControllerStore } from '../storage/controller-store.ts';
import type { Controller, OnFault } from './controller.ts';
import { CONFIG_MAP, NAMESPACE, SERVICE_ACCOUNT } from './kinds.ts';
import { refOf, startLoop } from './reconcile-loop.ts';

const ROOT_CERTIFICATE = 'kube-root-ca.crt';

/**
 * Maintains the `default` ServiceAccount and the `kube-root-ca.crt` ConfigMap in every namespace that is not
 * terminating.
 */
export function startNamespaces(
  store: ControllerStore,
  {
    caCertificate = '',
    onFault,
  }: { readonly caCertificate?: string | undefined; readonly onFault?: OnFault | undefined },
): Controller {
  const data = { 'ca.crt': caCertificate };
  const reconcile = (name: string): void => {
    const namespace = store.get(NAMESPACE, { name });
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return;
    if (store.get(SERVICE_ACCOUNT, { namespace: name, name: 'default' }) === undefined) {
      store.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } });
    }
    const certificate = store.get(CONFIG_MAP, { namespace: name, name: ROOT_CERTIFICATE });
    if (certificate === undefined) {
      store.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: ROOT_CERTIFICATE, namespace: name },
        data,
      });
    } else store.update({ ...certificate, data });
  };
  const inNamespace = (kind: typeof CONFIG_MAP, name: string) => ({
    kind,
    refs: ({ object }: { object: { metadata: { name: string; namespace?: string } } }) =>
      object.metadata.name === name ? [{ name: object.metadata.namespace ?? '' }] : [],
  });
  return startLoop({
    name: 'Namespace',
    store,
    watches: [
      { kind: NAMESPACE, refs: (event) => [refOf(event)] },
      inNamespace(SERVICE_ACCOUNT, 'default'),
      inNamespace(CONFIG_MAP, ROOT_CERTIFICATE),
    ],
    reconcile: ({ name }) => reconcile(name),
    onFault,
  });
}
