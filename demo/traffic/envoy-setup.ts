/** Requirements of real traffic on this machine: an Envoy, and loopback addresses that no other process uses. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { type EnvoyProgram, envoyAtHand } from '@meshrelay/testing/envoy';
import { onPath } from '@meshrelay/testing/processes';

export interface EnvoySetup extends AsyncDisposable {
  readonly program: EnvoyProgram;
  /** The prefix of the demo's own addresses, such as `127.77.0.`. */
  readonly network: string;
  /** Words before an Envoy's command line: it ends with this process, even if that is killed. */
  readonly within: readonly string[];
}

/** Why there is no real traffic, and what to do about it. */
export interface NoTraffic {
  readonly reason: string;
}

/** The process that listens here owns the network: several demos may run. */
const CLAIM = { host: '1', port: 15006 };
const TRIES = 20;

/** Fetches nothing. */
export async function findEnvoySetup(): Promise<EnvoySetup | NoTraffic> {
  const program = envoyAtHand();
  if (program === undefined)
    return { reason: 'no Envoy is at hand: npm run fetch:envoy fetches one, or name yours in MESHRELAY_ENVOY' };
  if (process.platform !== 'linux') return { reason: 'Envoys of one machine need the loopback addresses of Linux' };
  if (onPath('setpriv') === undefined)
    return { reason: 'setpriv of util-linux is needed, to end Envoys with the demo' };
  for (let tried = 0; tried < TRIES; tried++) {
    const network = `127.${randomInt(64, 250)}.${randomInt(250)}.`;
    const claimed = await claim(network);
    if (claimed === 'taken') continue;
    if (claimed === undefined) break;
    return { program, network, within: ['setpriv', '--pdeathsig', 'KILL'], [Symbol.asyncDispose]: claimed };
  }
  return { reason: 'no address of 127.0.0.0/8 can be listened on here' };
}

/** A function that releases it; `taken` if another process has it, undefined if it is not available on this machine. */
async function claim(network: string): Promise<(() => Promise<void>) | 'taken' | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(CLAIM.port, `${network}${CLAIM.host}`);
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'taken' : undefined;
  }
  return () => new Promise((closed) => server.close(() => closed()));
}
