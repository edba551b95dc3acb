/**
 * Leader: creates the CA that signs the agents' certificates for Envoys, and distributes its roots to the namespaces
 * that have Envoys.
 */

import { configuresEnvoys } from '../data-plane/configures-envoys.ts';
import { AgentCaController } from '../data-plane/roots/authority-keeper.ts';
import { EnvoyNamespaces } from '../data-plane/roots/envoy-namespaces.ts';
import { RootConfigMaps } from '../data-plane/roots/root-config-maps.ts';
import type { LeaderController } from './controllers.ts';

export const envoyRootsController: LeaderController = {
  name: 'envoy-roots',
  runsOn: 'leader',
  start({ config, connection, plugins, clock, now, random, logger: parent, rightsCommand, leaderTerm }) {
    const work = new AsyncDisposableStack();
    const types = plugins.filter(configuresEnvoys).map(({ plugin }) => plugin.name);
    if (types.length === 0) return work;
    const logger = parent.child('envoy-roots');
    const check = (): void => leaderTerm.fence.check();
    const namespaces = new EnvoyNamespaces(types);
    const maps = work.use(
      new RootConfigMaps({
        connection,
        owner: config.managementNamespace,
        required: () => namespaces.all(),
        known: () => leaderTerm.inputs?.unknown().length === 0,
        check,
        rightsCommand,
        clock,
        random,
        logger,
      }),
    );
    leaderTerm.rootConfigMaps = maps;
    work.defer(
      leaderTerm.loop.listen((changes) => {
        if (namespaces.take(changes, leaderTerm.loop.discovery)) maps.reconcile();
      }),
    );
    work.use(
      new AgentCaController({
        connection,
        namespace: config.namespace,
        trustDomain: config.relay.trustDomain,
        cluster: config.relay.cluster,
        check,
        roots: (pem) => {
          maps.roots = pem;
        },
        clock,
        now,
        logger,
      }),
    );
    return work;
  },
};
