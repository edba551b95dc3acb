/** Notices when a token arrives, so that nobody waits for the next look. */
import type { KubeObject } from '@meshrelay/api';
import { type KindWatch, type KubeConnection, secretKind, watchKind } from '@meshrelay/kube';
import { TOKEN_SECRET } from '@meshrelay/pki';

/** Calls `arrived` whenever the token's Secret comes or changes. Of the Secret only its name is kept. */
export function watchToken(connection: KubeConnection, namespace: string, arrived: () => void): KindWatch {
  const sink = {
    replaceAll: (secrets: readonly KubeObject[]) => {
      if (secrets.length > 0) arrived();
    },
    upsert: () => arrived(),
    remove: () => {},
    synced: () => {},
  };
  return watchKind(connection, secretKind, sink, {
    namespace,
    fieldSelector: `metadata.name=${TOKEN_SECRET}`,
    transform: ({ apiVersion, kind, metadata: { name } }) => ({
      apiVersion,
      kind,
      metadata: { name },
      spec: undefined,
    }),
  });
}
