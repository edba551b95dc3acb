/** Notices when a Secret changes. Of the Secret only its name is kept. */
import type { KubeObject } from '@meshrelay/api';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { type KindWatch, watchKind } from '../watch/kind-watch.ts';
import { secretKind } from './secrets.ts';

/** Which Secret is looked at, and what is told of it. */
export interface SecretWatchOptions {
  readonly namespace: string;
  readonly name: string;
  /** Called when it is known to be there or not for the first time, and after each change; also when a broken watch goes on. */
  readonly changed: (exists: boolean) => void;
}

/** Watches one Secret until disposed. */
export function watchSecret(connection: KubeConnection, { namespace, name, changed }: SecretWatchOptions): KindWatch {
  const sink = {
    replaceAll: (secrets: readonly KubeObject[]) => changed(secrets.length > 0),
    upsert: () => changed(true),
    remove: () => changed(false),
    synced: () => {},
  };
  return watchKind(connection, secretKind, sink, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    transform: ({ apiVersion, kind, metadata: { name: found } }) => ({
      apiVersion,
      kind,
      metadata: { name: found },
      spec: undefined,
    }),
  });
}
