/** What a listener finds out about a connection before it chooses what to do with it. */
import { create, listener, originalDst, pack, tlsInspector } from '@meshrelay/envoy-api';

/** Whether it is TLS, which name is asked for, and what is spoken within. */
export function readsHandshake(): listener.ListenerFilter {
  return create(listener.ListenerFilterSchema, {
    name: 'envoy.filters.listener.tls_inspector',
    configType: { case: 'typedConfig', value: pack(tlsInspector.TlsInspectorSchema, {}) },
  });
}

/** Where it was going before the pod's network sent it here. */
export function readsOriginalDestination(): listener.ListenerFilter {
  return create(listener.ListenerFilterSchema, {
    name: 'envoy.filters.listener.original_dst',
    configType: { case: 'typedConfig', value: pack(originalDst.OriginalDstSchema, {}) },
  });
}
