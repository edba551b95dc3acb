/** Every replica answers the leader for what it received itself. */
import { Secrets, watchSecret } from '@meshrelay/kube';
import { PEERS_SECRET, readPeerKeys } from '../peers/peer-secret.ts';
import { PeerServer } from '../peers/peer-server.ts';
import type { EveryDuty } from './duties.ts';

export const peersDuty: EveryDuty = {
  name: 'peers',
  who: 'every',
  async start({ config, connection, observer, status, logger }) {
    if (!config.peers.enabled) return new AsyncDisposableStack();
    const log = logger.child('peers');
    const server = await PeerServer.start({
      listen: config.peers.listen,
      observer,
      onFailed: (method, error) => log.error('a question of the leader failed', { method, error }),
    });
    status.peers = server;
    const secrets = new Secrets(connection, config.namespace);
    const take = async (): Promise<void> => {
      try {
        const keys = readPeerKeys((await secrets.read(PEERS_SECRET))?.data ?? {});
        if (keys === undefined)
          log.warn('the Secret of the replicas is not whole; the leader makes it anew', { secret: PEERS_SECRET });
        else server.use(keys);
      } catch (error) {
        log.warn('the Secret of the replicas cannot be used; it is read again when it changes', {
          secret: PEERS_SECRET,
          error,
        });
      }
    };
    // Made by the leader, and anew while it is in use.
    const watch = watchSecret(connection, {
      namespace: config.namespace,
      name: PEERS_SECRET,
      changed: (exists) => void (exists && take()),
    });
    return {
      async [Symbol.asyncDispose]() {
        await watch[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
};
