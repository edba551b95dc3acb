/** The leader looks after the client certificate: it is registered for, renewed, and taken up where somebody else puts one. */
import { type KindWatch, watchSecret } from '@meshrelay/kube';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/pki';
import { RenewalLoop } from '../identity/renewal-loop.ts';
import type { LeaderContext } from './context.ts';
import type { LeaderDuty } from './duties.ts';

/** A change of any of them may be what is waited for. */
const WATCHED = [TOKEN_SECRET, CLIENT_SECRET, ROOT_SECRET] as const;

export const identityDuty: LeaderDuty = {
  name: 'identity',
  who: 'leader',
  start(context) {
    const work = new AsyncDisposableStack();
    for (const name of WATCHED) work.use(watch(context, name));
    const { clock, now, random, logger, reign } = context;
    work.use(new RenewalLoop({ identity: reign.identity, clock, now, random, logger: logger.child('identity') }));
    return work;
  },
};

function watch({ connection, config, reign }: LeaderContext, name: string): KindWatch {
  const { namespace } = config;
  return watchSecret(connection, { namespace, name, changed: () => void reign.identity.refresh() });
}
