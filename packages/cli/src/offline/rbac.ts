/**
 * Implements `meshctl cluster rbac`: prints a ServiceAccount with exactly the permissions that an agent, or the
 * server, needs in a cluster.
 */
import process from 'node:process';
import {
  type Account,
  accountObjects,
  memberRbacRules,
  type NamedObject,
  type Rights,
  serverRights,
} from '@meshrelay/relay-core';
import { type DataFormat, format } from '../output/format.ts';
import { InputError } from '../problem.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface RbacOptions {
  readonly namespace: string;
  readonly direct?: true;
  readonly server?: true;
  /** Whether the server reviews the tokens of its readers at the API server. */
  readonly tokenReview?: true;
  readonly plugin: readonly string[];
  /** Namespaces of control planes that share a root. */
  readonly meshNamespace: readonly string[];
  /** Namespaces with Envoys that the agent configures. */
  readonly envoyNamespace: readonly string[];
  /** Users' objects that Meshrelay may patch, as `NAMESPACE/NAME`; `pullSecret` has the same format. */
  readonly patch: readonly string[];
  readonly pullSecret: readonly string[];
  /** Secrets in the agent's own namespace with names that the user chose. */
  readonly ownSecret: readonly string[];
  readonly output: DataFormat;
}

/** @throws InputError if a plugin cannot be loaded, or if options contradict each other */
export async function printRbac(options: RbacOptions): Promise<void> {
  const { direct, server, namespace, output } = options;
  checkOptions(options);
  const takesPart = direct === true || server !== true;
  const member = takesPart ? await memberOf(options) : undefined;
  const [name, rights] =
    server === true
      ? ['meshrelay-mgmt-server', serverRights({ tokenReview: options.tokenReview === true, ownCluster: member })]
      : [direct === true ? 'meshrelay-direct' : 'meshrelay-agent', member as Rights];
  const account: Account = { name, namespace };
  process.stdout.write(format({ apiVersion: 'v1', kind: 'List', items: accountObjects(account, rights) }, output));
}

async function memberOf(options: RbacOptions): Promise<Rights> {
  const { direct, plugin, meshNamespace, envoyNamespace, patch, pullSecret, ownSecret } = options;
  const plugins = (await loadMeshPlugins(plugin)).map(({ plugin: loaded }) => loaded);
  try {
    return memberRbacRules({
      plugins,
      agent: direct !== true,
      ownSecrets: ownSecret,
      meshNamespaces: meshNamespace,
      envoyNamespaces: envoyNamespace,
      patched: patch.map(namedObject),
      pullSecrets: pullSecret.map(namedObject),
    });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new InputError(`--patch: ${cause.message}`, { cause });
  }
}

function checkOptions({
  direct,
  server,
  tokenReview,
  pullSecret,
  envoyNamespace,
  ownSecret,
  ...rest
}: RbacOptions): void {
  const agents = { '--pull-secret': pullSecret, '--envoy-namespace': envoyNamespace, '--own-secret': ownSecret };
  const members = { '--mesh-namespace': rest.meshNamespace, '--patch': rest.patch, '--plugin': rest.plugin };
  const givenOf = (options: Readonly<Record<string, readonly string[]>>): string | undefined =>
    Object.entries(options).find(([, values]) => values.length > 0)?.[0];
  const ofAgents = direct === true || server === true ? givenOf(agents) : undefined;
  if (ofAgents !== undefined)
    throw new InputError(
      `${ofAgents} needs an agent, and a server that reaches a cluster itself has none there; remove it`,
    );
  const ofMembers = server === true && direct !== true ? givenOf(members) : undefined;
  if (ofMembers !== undefined)
    throw new InputError(
      `${ofMembers} is for a registered cluster; add --direct if the server also manages its own cluster (singleCluster), or remove it`,
    );
  if (tokenReview === true && server !== true)
    throw new InputError('--token-review is for the HTTP API of a server; add --server, or remove it');
}

function namedObject(text: string): NamedObject {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}
