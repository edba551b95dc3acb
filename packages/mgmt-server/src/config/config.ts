/** The server's configuration. */
import { type ListenAddress, listenAddress, type PluginConfig, pluginConfigs } from '@meshrelay/host';
import { type LogLevel, logLevels } from '@meshrelay/telemetry';
import { z } from 'zod';

export interface ServerConfig {
  /** The management namespace. */
  readonly namespace: string;
  /** This replica's name in statuses and logs; the host's name by default. */
  readonly replica?: string | undefined;
  readonly relay: {
    readonly listen: ListenAddress;
    /** Trust domain of the agents' identities. */
    readonly trustDomain: string;
    /** Names in the server's certificate, where this server makes it: what agents dial or give as `relay.authority`. */
    readonly serverNames: readonly string[];
    readonly serverAddresses: readonly string[];
  };
  readonly kubernetes: {
    /** Path of a kubeconfig; without one the pod's own ServiceAccount. */
    readonly kubeconfig?: string | undefined;
    readonly context?: string | undefined;
  };
  readonly http: { readonly listen: ListenAddress };
  readonly health: { readonly listen: ListenAddress };
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

export const serverConfig: z.ZodType<ServerConfig> = z.strictObject({
  namespace: z.string().default('meshrelay'),
  replica: z.string().optional(),
  relay: z
    .strictObject({
      listen: address(':9900'),
      trustDomain: z.string().default('relay.meshrelay.local'),
      serverNames: z.array(z.string()).default(['mgmt-server.meshrelay']),
      serverAddresses: z.array(z.string()).default([]),
    })
    .prefault({}),
  kubernetes: z.strictObject({ kubeconfig: z.string().optional(), context: z.string().optional() }).prefault({}),
  http: z.strictObject({ listen: address('127.0.0.1:8090') }).prefault({}),
  health: z.strictObject({ listen: address(':9091') }).prefault({}),
  leaderElection: z
    .strictObject({
      leaseDuration: z.int().positive().optional(),
      renewDeadline: z.int().positive().optional(),
      retryPeriod: z.int().positive().optional(),
    })
    .prefault({}),
  plugins: pluginConfigs,
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
});

/** What the environment and flags may set. */
export const SERVER_FIELDS: readonly string[] = [
  'namespace',
  'replica',
  'relay.listen',
  'relay.trustDomain',
  'kubernetes.kubeconfig',
  'kubernetes.context',
  'http.listen',
  'health.listen',
  'log.level',
];
