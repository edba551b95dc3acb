/** Reports changes of a Secret. Only its name is stored. */
import type { KubeObject } from '@meshrelay/api';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { type KindWatch, watchKind } from '../watch/kind-watch.ts';
import { secretKind } from './secrets.ts';

/** The watched Secret, and the callbacks. */
export interface SecretWatchOptions {
  readonly namespace: string;
  readonly name: string;
  /** Called when its presence or absence is first known, and after each change; also when a broken watch resumes. */
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
