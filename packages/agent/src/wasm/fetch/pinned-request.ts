/**
 * One request to an allowed host. Its name is resolved once, each of its addresses is checked, and the connection goes
 * to a checked address. A later change of the name has no effect. The request uses no proxy of the environment and
 * keeps no connection.
 */
import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { ModuleError } from '../module-error.ts';
import type { AllowList } from './allow-list.ts';

/** All addresses of a host, in the order in which to try them. */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface RequestOptions {
  readonly allowed: AllowList;
  readonly resolve: Resolver;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal;
  /** Roots to trust in addition to those of the system, PEM. */
  readonly roots?: readonly string[] | undefined;
}

/** The system's own resolver, including the hosts file and search domains. */
export const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Head of the response; its body is not read yet. @throws ModuleError */
export async function pinnedRequest(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const address = await admittedAddress(url, options);
  return await new Promise((resolve, reject) => {
    const request = send(url, address, options);
    request.once('response', resolve);
    request.once('error', (error) => reject(unreachable(url, error, options.signal)));
    request.end();
  });
}

async function admittedAddress(url: URL, { allowed, resolve, signal }: RequestOptions): Promise<string> {
  const problem = allowed.urlProblem(url);
  if (problem !== undefined) throw new ModuleError(problem, 'changed');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolved(host, resolve, signal) : [host];
  // A single forbidden address among allowed ones indicates an attack: the request is rejected.
  for (const address of addresses) {
    const refused = allowed.addressProblem(host, address);
    if (refused !== undefined) throw new ModuleError(refused, 'changed');
  }
  const [first] = addresses;
  if (first === undefined) throw new ModuleError(`${host} has no address; check its name`, 'later');
  return first;
}

async function resolved(host: string, resolve: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await resolve(host, signal);
  } catch (error) {
    throw new ModuleError(`${host} cannot be resolved (${codeOf(error)}); check its name`, 'later', error);
  }
}

function send(url: URL, address: string, { headers = {}, signal, roots }: RequestOptions): ClientRequest {
  const family = isIP(address);
  const common = {
    method: 'GET',
    signal,
    headers: { 'accept-encoding': 'identity', 'user-agent': 'meshrelay-agent', ...headers },
    // Node resolves names only through this function, for all addresses or for one.
    lookup: ((_host: string, { all }: { all?: boolean }, done: (...result: unknown[]) => void) =>
      all === true ? done(null, [{ address, family }]) : done(null, address, family)) as never,
  };
  if (url.protocol === 'http:') return plainRequest(url, { ...common, agent: new PlainAgent({ keepAlive: false }) });
  const ca = roots === undefined ? {} : { ca: [...roots] };
  return tlsRequest(url, { ...common, ...ca, minVersion: 'TLSv1.2', agent: new TlsAgent({ keepAlive: false }) });
}

/** Describes a connection error without addresses of the cluster's network. */
export function unreachable(url: URL, error: unknown, signal: AbortSignal): ModuleError {
  if (error instanceof ModuleError) return error;
  if (signal.aborted)
    return new ModuleError(
      `${url.origin} did not answer in time; check that it runs and is fast enough`,
      'later',
      error,
    );
  return new ModuleError(
    `${url.origin} cannot be read (${codeOf(error)}); check that it runs and that its certificate is trusted`,
    'later',
    error,
  );
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
