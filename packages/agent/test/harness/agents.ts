/** Replicas of the agent under test, with their logs. */

import { loadConfig } from '@meshrelay/host';
import { loadPlugins, type MeshPlugin, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { createLogger, type LogLevel, RecordingTracer } from '@meshrelay/telemetry';
import type { TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { AGENT_FIELDS, type Agent, type AgentConfig, agentConfig, startAgent } from '../../src/mod.ts';
import { agentFields, flags, SHORT_LEASE } from './fields.ts';
import type { TestAuthority, TestRelay } from './relay.ts';

/** Lines of JSON logs. */
export class LogBook {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }

  /** Whether a line has this message. */
  has(message: string): boolean {
    return this.lines.some((line) => (JSON.parse(line) as { msg: string }).msg === message);
  }

  of(message: string): Array<Record<string, unknown>> {
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);
  }
}

export interface TestAgent extends Agent {
  readonly log: LogBook;
  readonly tracer: RecordingTracer;
}

/** The Secrets that registration leaves in a cluster. */
export function register(cluster: TestCluster, relay: TestRelay, authority: TestAuthority): void {
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  cluster.setSecret(TOKEN_SECRET, { token: relay.token().reveal() });
}

interface ReplicaOptions {
  readonly replica?: string;
  readonly level?: LogLevel;
  readonly mode?: AgentConfig['relay']['mode'];
  /** Token in the environment. */
  readonly token?: string;
  readonly clientCertificate?: Readonly<Record<string, string>>;
  /** By default only the test mesh. */
  readonly plugins?: readonly MeshPlugin[];
  /** Other fields of the configuration. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Starts a replica against a cluster and a relay. */
export async function startReplica(
  cluster: TestCluster,
  relay: Pick<TestRelay, 'address'>,
  {
    replica = 'agent-0',
    level = 'debug',
    mode = 'mtls',
    token,
    clientCertificate = {},
    plugins = [testMesh],
    fields = {},
  }: ReplicaOptions = {},
): Promise<TestAgent> {
  const log = new LogBook();
  const tracer = new RecordingTracer();
  const agent = await startAgent(configFor(cluster, relay, { replica, mode, clientCertificate, fields }), {
    token,
    logger: createLogger({ name: 'agent', level, destination: log }),
    tracer,
    plugins: loadPlugins(plugins.map((plugin) => ({ module: plugin.name, plugin }))),
  });
  return Object.assign(agent, { log, tracer });
}

function configFor(
  cluster: TestCluster,
  relay: Pick<TestRelay, 'address'>,
  {
    replica,
    mode,
    clientCertificate,
    fields: others,
  }: Required<Pick<ReplicaOptions, 'replica' | 'mode' | 'clientCertificate' | 'fields'>>,
): AgentConfig {
  const fields = {
    replica,
    'relay.mode': mode,
    ...agentFields(cluster.kubeconfig, relay),
    ...SHORT_LEASE,
    ...others,
    ...Object.fromEntries(
      Object.entries(clientCertificate).map(([field, value]) => [`relay.clientCertificate.${field}`, value]),
    ),
  };
  return loadConfig(agentConfig, { argv: flags(fields), env: {}, fields: AGENT_FIELDS });
}

/** Response of the readiness endpoint. */
export async function readiness({ healthPort }: Agent): Promise<{ ready: boolean; failing: Record<string, string> }> {
  const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
  return (await response.json()) as { ready: boolean; failing: Record<string, string> };
}

/** Value of a metric without labels. */
export async function metric({ statsPort }: Agent, name: string): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${statsPort}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`meshrelay_${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}
