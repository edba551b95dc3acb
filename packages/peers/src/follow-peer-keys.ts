/** Watches the keys of a group: takes the first ones, and each replacement. */
import { type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import type { PeerGroup } from './peer-group.ts';
import { type PeerKeys, readPeerKeys } from './peer-keys.ts';

export interface FollowedKeys {
  readonly group: PeerGroup;
  readonly namespace: string;
  /** Called with the present keys. Its exceptions are logged. */
  readonly take: (keys: PeerKeys) => void;
  /** The Secret does not exist, or is incomplete. */
  readonly missing?: () => void;
  readonly logger: Logger;
}

/** Runs until disposed. */
export function followPeerKeys(
  connection: KubeConnection,
  { group, namespace, take, missing, logger }: FollowedKeys,
): AsyncDisposable {
  const { secret } = group;
  const secrets = new Secrets(connection, namespace);
  const check = async (): Promise<void> => {
    try {
      const keys = readPeerKeys(group, (await secrets.read(secret))?.data ?? {});
      if (keys !== undefined) return take(keys);
      logger.warn('the Secret of the replicas is incomplete; it is recreated', { secret });
      missing?.();
    } catch (error) {
      logger.warn('the Secret of the replicas cannot be used; it is read again on its next change', { secret, error });
    }
  };
  return watchSecret(connection, {
    namespace,
    name: secret,
    changed: (exists) => {
      if (exists) void check();
      else missing?.();
    },
  });
}
