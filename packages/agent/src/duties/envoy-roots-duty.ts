/** The leader makes the CA that vouches for agents towards Envoys, and hands its roots to the namespaces that have some. */

import { configuresEnvoys } from '../data-plane/configures-envoys.ts';
import { AuthorityKeeper } from '../data-plane/roots/authority-keeper.ts';
import { EnvoyNamespaces } from '../data-plane/roots/envoy-namespaces.ts';
import { RootConfigMaps } from '../data-plane/roots/root-config-maps.ts';
import type { LeaderDuty } from './duties.ts';

export const envoyRootsDuty: LeaderDuty = {
  name: 'envoy-roots',
  who: 'leader',
  start({ config, connection, plugins, clock, now, random, logger: parent, rightsCommand, reign }) {
    const work = new AsyncDisposableStack();
    const types = plugins.filter(configuresEnvoys).map(({ plugin }) => plugin.name);
    if (types.length === 0) return work;
    const logger = parent.child('envoy-roots');
    const check = (): void => reign.fence.check();
    const namespaces = new EnvoyNamespaces(types);
    const maps = work.use(
      new RootConfigMaps({
        connection,
        owner: config.managementNamespace,
        wanted: () => namespaces.all(),
        known: () => reign.inputs?.unknown().length === 0,
        check,
        rightsCommand,
        clock,
        random,
        logger,
      }),
    );
    reign.rootConfigMaps = maps;
    work.defer(
      reign.loop.listen((changes) => {
        if (namespaces.take(changes, reign.loop.discovery)) maps.look();
      }),
    );
    work.use(
      new AuthorityKeeper({
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
