/** Listener filters inspect a connection before the listener chooses a filter chain. */
import { create, listener, originalDst, pack, tlsInspector } from '@meshrelay/envoy-api';

/** Detects TLS, its SNI and its ALPN. */
export function readsHandshake(): listener.ListenerFilter {
  return create(listener.ListenerFilterSchema, {
    name: 'envoy.filters.listener.tls_inspector',
    configType: { case: 'typedConfig', value: pack(tlsInspector.TlsInspectorSchema, {}) },
  });
}

/** Restores the original destination from before the pod's network redirected it here. */
export function readsOriginalDestination(): listener.ListenerFilter {
  return create(listener.ListenerFilterSchema, {
    name: 'envoy.filters.listener.original_dst',
    configType: { case: 'typedConfig', value: pack(originalDst.OriginalDstSchema, {}) },
  });
}
