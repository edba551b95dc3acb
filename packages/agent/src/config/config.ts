/** The agent's configuration. */
import { type ListenAddress, listenAddress, type PluginConfig, pluginConfigs } from '@meshrelay/host';
import { isClusterName } from '@meshrelay/pki';
import { type LogLevel, logLevels } from '@meshrelay/telemetry';
import { z } from 'zod';

export interface AgentConfig {
  /** The agent's own namespace: its Lease, its Secrets, its OutputLedger. */
  readonly namespace: string;
  /** The management namespace, which is what the owner label of outputs says. */
  readonly managementNamespace: string;
  /** This replica's name in the Lease and in logs; the host's name by default. */
  readonly replica?: string | undefined;
  readonly relay: {
    /** `host:port` of the management server. */
    readonly serverAddress: string;
    /** The name in the server's certificate, where it is not the host of the address. */
    readonly authority?: string | undefined;
    /** The name this cluster is registered under. */
    readonly cluster: string;
    /** Trust domain of the relay's identities. */
    readonly trustDomain: string;
  };
  readonly kubernetes: {
    /** Path of a kubeconfig; without one the pod's own ServiceAccount. */
    readonly kubeconfig?: string | undefined;
    readonly context?: string | undefined;
  };
  /** Health and readiness. */
  readonly health: { readonly listen: ListenAddress };
  /** The agent's own metrics. */
  readonly stats: { readonly listen: ListenAddress };
  /** Durations of the Lease in milliseconds; those of Kubernetes' own components by default. */
  readonly leaderElection: {
    readonly leaseDuration?: number | undefined;
    readonly renewDeadline?: number | undefined;
    readonly retryPeriod?: number | undefined;
  };
  readonly plugins?: readonly PluginConfig[] | undefined;
  readonly log: { readonly level: LogLevel };
}

const address = (fallback: string) => z.string().default(fallback).pipe(listenAddress);
const milliseconds = z.int().positive().optional();

export const agentConfig: z.ZodType<AgentConfig> = z.strictObject({
  namespace: z.string().default('meshrelay'),
  managementNamespace: z.string().default('meshrelay'),
  replica: z.string().optional(),
  // Where nothing is said of it, what it needs is named all the same.
  relay: z.preprocess(
    (given) => given ?? {},
    z.strictObject({
      serverAddress: z
        .string('expected HOST:PORT of the management server, such as relay.example.com:9900')
        .regex(/^.+:\d{1,5}$/, 'expected HOST:PORT, such as relay.example.com:9900'),
      authority: z.string().optional(),
      cluster: z
        .string('expected the name this cluster is registered under')
        .refine(isClusterName, 'expected a Kubernetes object name: lower-case letters, digits, "-" and "."'),
      trustDomain: z
        .string()
        .regex(/^[a-z0-9._-]{1,255}$/, 'expected a trust domain: lower-case letters, digits, ".", "-" and "_"')
        .default('relay.meshrelay.local'),
    }),
  ),
  kubernetes: z.strictObject({ kubeconfig: z.string().optional(), context: z.string().optional() }).prefault({}),
  health: z.strictObject({ listen: address(':9988') }).prefault({}),
  stats: z.strictObject({ listen: address(':9091') }).prefault({}),
  leaderElection: z
    .strictObject({ leaseDuration: milliseconds, renewDeadline: milliseconds, retryPeriod: milliseconds })
    .prefault({}),
  plugins: pluginConfigs,
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
});

/** What the environment and flags may set. */
export const AGENT_FIELDS: readonly string[] = [
  'namespace',
  'managementNamespace',
  'replica',
  'relay.serverAddress',
  'relay.authority',
  'relay.cluster',
  'relay.trustDomain',
  'kubernetes.kubeconfig',
  'kubernetes.context',
  'health.listen',
  'stats.listen',
  'leaderElection.leaseDuration',
  'leaderElection.renewDeadline',
  'leaderElection.retryPeriod',
  'log.level',
];
