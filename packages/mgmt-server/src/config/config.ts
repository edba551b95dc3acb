import {
  CLUSTER_FIELDS,
  type ElectionConfig,
  electionConfig,
  type KubernetesConfig,
  kubernetesConfig,
  type ListenAddress,
  listenAddress,
  type PluginConfig,
  pluginConfigs,
} from '@meshrelay/host';
import { CLUSTER_NAME, CLUSTER_NAME_SYNTAX } from '@meshrelay/pki';
import { type LogLevel, logLevels } from '@meshrelay/telemetry';
import * as z from 'zod';
import { type AuthConfig, authConfig, type HttpTlsConfig, httpTlsConfig } from '../http/auth/auth-config.ts';
import { type ClientIssuerConfig, clientIssuers, ownNames } from './client-identity.ts';
import { type StoreConfig, storeConfig } from './store-config.ts';

export interface ServerConfig {
  readonly namespace: string;
  /** Name of this replica in statuses and logs. Default: the host name. */
  readonly replica?: string | undefined;
  readonly relay: {
    readonly listen: ListenAddress;
    /** Trust domain of the agents' identities. */
    readonly trustDomain: string;
    /** Names in the server's certificate if this server generates it: what agents dial, or set as `relay.authority`. */
    readonly serverNames: readonly string[];
    readonly serverAddresses: readonly string[];
    /** How agents authenticate: `mtls` by client certificate only, `tls` also by a token with every call. */
    readonly mode: 'mtls' | 'tls';
    /** Whether one token registers every declared cluster that never was registered. */
    readonly allowSharedToken: boolean;
    /** Lifetime of an agent's certificate in days; agents renew at half of it. */
    readonly agentCertificateDays: number;
    /** Issuers of agents' certificates in addition to the relay's own, and the cluster of each certificate. */
    readonly clientIdentity: readonly ClientIssuerConfig[];
  };
  readonly kubernetes: KubernetesConfig;
  /** Name of the server's own cluster, if it participates without an agent. */
  readonly singleCluster?: string | undefined;
  readonly http: HttpConfig;
  readonly health: { readonly listen: ListenAddress };
  readonly store: StoreConfig;
  /** Calls between replicas, to reach agents that are connected to another replica. */
  readonly peers: {
    /** Default: enabled with a store that replicas share. */
    readonly enabled?: boolean | undefined;
    readonly listen: ListenAddress;
    /** Label selector of the server's pods. */
    readonly selector: string;
  };
  readonly leaderElection: ElectionConfig;
  readonly plugins?: readonly PluginConfig[] | undefined;
  readonly log: { readonly level: LogLevel };
  /** File of the audit log, in addition to the program's log. */
  readonly audit: { readonly file?: string | undefined };
}

export interface HttpConfig {
  readonly listen: ListenAddress;
  /** Without it any client that reaches the address may read, so the address must be loopback. */
  readonly auth?: AuthConfig | undefined;
  readonly tls?: HttpTlsConfig | undefined;
}

const address = (fallback: string) => z.string().default(fallback).pipe(listenAddress);
const label = (what: string) =>
  z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, `expected ${what}: lower-case letters, digits and "-"`);
const dnsName = z
  .string()
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i, 'expected a DNS name, such as mgmt-server.meshrelay');

const relay = z
  .strictObject({
    listen: address(':9900'),
    trustDomain: z
      .string()
      .regex(/^[a-z0-9._-]{1,255}$/, 'expected a trust domain: lower-case letters, digits, ".", "-" and "_"')
      .default('relay.meshrelay.local'),
    serverNames: z.array(dnsName).default(['mgmt-server.meshrelay']),
    serverAddresses: z.array(z.union([z.ipv4(), z.ipv6()], 'expected an IP address')).default([]),
    mode: z.enum(['mtls', 'tls'], 'expected mtls or tls').default('mtls'),
    allowSharedToken: z.boolean().default(false),
    agentCertificateDays: z
      .number('expected days, above 0 and at most 90')
      .gt(0, 'expected days, above 0 and at most 90')
      .max(90, 'expected days, above 0 and at most 90')
      .default(30),
    clientIdentity: clientIssuers.default([]),
  })
  .superRefine(ownNames)
  .refine(({ serverNames, serverAddresses }) => serverNames.length + serverAddresses.length > 0, {
    error: 'expected at least one of serverNames and serverAddresses',
  });

export const serverConfig: z.ZodType<ServerConfig> = z.strictObject({
  namespace: label('a namespace').default('meshrelay'),
  replica: z.string().min(1).optional(),
  relay: relay.prefault({}),
  kubernetes: kubernetesConfig,
  singleCluster: z.string().regex(CLUSTER_NAME, `expected ${CLUSTER_NAME_SYNTAX}`).optional(),
  http: z
    .strictObject({
      listen: address('127.0.0.1:8090'),
      auth: authConfig.optional(),
      tls: httpTlsConfig.optional(),
    })
    .prefault({}),
  health: z.strictObject({ listen: address(':9091') }).prefault({}),
  store: storeConfig.prefault({}),
  peers: z
    .strictObject({
      enabled: z.boolean().optional(),
      listen: address(':9979'),
      selector: z.string().min(1).default('app.kubernetes.io/name=meshrelay-mgmt-server'),
    })
    .prefault({}),
  leaderElection: electionConfig,
  plugins: pluginConfigs,
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
  audit: z.strictObject({ file: z.string().min(1).optional() }).prefault({}),
});

/** Fields that the environment and flags may set. */
export const SERVER_FIELDS: readonly string[] = [
  ...CLUSTER_FIELDS,
  'namespace',
  'replica',
  'singleCluster',
  'relay.listen',
  'relay.trustDomain',
  'relay.mode',
  'http.listen',
  'health.listen',
  'peers.enabled',
  'peers.listen',
  'peers.selector',
  'log.level',
  'audit.file',
];
