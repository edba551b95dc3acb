/** Configuration of the agent. */
import type { ClusterConfig } from '@meshrelay/cluster-controllers';
import {
  CLUSTER_FIELDS,
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
import { type WasmConfig, wasmConfig } from '../wasm/wasm-config.ts';
import { type ClientCertificateConfig, clientCertificate } from './client-certificate.ts';
import { type LogExportConfig, logExportConfig } from './log-export.ts';

export interface AgentConfig extends ClusterConfig {
  /** Name of this replica in the Lease and in logs; by default the host name. */
  readonly replica?: string | undefined;
  readonly relay: ClusterConfig['relay'] & {
    /** `host:port` of the management server. */
    readonly serverAddress: string;
    /** Name in the server's certificate, if it differs from the host of the address. */
    readonly authority?: string | undefined;
    /** Trust domain of the relay's identities. */
    readonly trustDomain: string;
    /** Authentication of this agent: `mtls` with a client certificate, `tls` with a token in every call. */
    readonly mode: 'mtls' | 'tls';
    /**
     * A client certificate of another issuer, which renews it. Without it, the agent registers for a certificate of the
     * relay.
     */
    readonly clientCertificate?: ClientCertificateConfig | undefined;
  };
  readonly kubernetes: KubernetesConfig;
  /** Health and readiness endpoints. */
  readonly health: { readonly listen: ListenAddress };
  /** Endpoint of the agent's own metrics. */
  readonly stats: { readonly listen: ListenAddress };
  /** Port for proxies. */
  readonly dataPlane: {
    readonly listen: ListenAddress;
    /** Required audience of Envoy tokens. */
    readonly audience: string;
    /**
     * DNS names and IP addresses that Envoys dial. By default those of the Service in front of the agent's Deployment.
     */
    readonly serverNames: readonly string[];
  };
  readonly accessLogs: {
    /** Additional destinations of access logs, which receive entries as they arrive. */
    readonly export: LogExportConfig;
  };
  /** Wasm modules that Envoys run. */
  readonly wasm: WasmConfig;
  /** Calls between replicas: the leader queries the others for what they received. */
  readonly peers: {
    readonly enabled: boolean;
    readonly listen: ListenAddress;
    /** Label selector of the agent's pods. */
    readonly selector: string;
  };
  readonly plugins?: readonly PluginConfig[] | undefined;
  readonly log: { readonly level: LogLevel };
}

/** A list in a file, or names separated by commas. */
const names = z
  .union([z.string().transform((text) => text.split(',').map((name) => name.trim())), z.array(z.string())])
  .pipe(z.array(z.string().regex(/^[a-z0-9:]([-.a-z0-9:]*[a-z0-9])?$/i, 'expected a DNS name or an IP address')));

const address = (fallback: string) => z.string().default(fallback).pipe(listenAddress);

export const agentConfig: z.ZodType<AgentConfig> = z.strictObject({
  namespace: z.string().default('meshrelay'),
  managementNamespace: z.string().default('meshrelay'),
  replica: z.string().optional(),
  // If the section is missing, errors still name its required fields.
  relay: z.preprocess(
    (given) => given ?? {},
    z
      .strictObject({
        serverAddress: z
          .string('expected HOST:PORT of the management server, such as relay.example.com:9900')
          .regex(/^.+:\d{1,5}$/, 'expected HOST:PORT, such as relay.example.com:9900'),
        authority: z.string().optional(),
        cluster: z
          .string('expected the name of the KubernetesCluster of this cluster')
          .regex(CLUSTER_NAME, `expected ${CLUSTER_NAME_SYNTAX}`),
        trustDomain: z
          .string()
          .regex(/^[a-z0-9._-]{1,255}$/, 'expected a trust domain: lower-case letters, digits, ".", "-" and "_"')
          .default('relay.meshrelay.local'),
        mode: z.enum(['mtls', 'tls'], 'expected mtls or tls').default('mtls'),
        clientCertificate: clientCertificate.optional(),
      })
      .refine(({ mode, clientCertificate }) => mode === 'mtls' || clientCertificate === undefined, {
        path: ['clientCertificate'],
        error: 'must be unset if relay.mode is tls, where a token is the identity',
      }),
  ),
  kubernetes: kubernetesConfig,
  health: z.strictObject({ listen: address(':9988') }).prefault({}),
  stats: z.strictObject({ listen: address(':9091') }).prefault({}),
  dataPlane: z
    .strictObject({
      listen: address(':9977'),
      audience: z.string().min(1).default('meshrelay'),
      serverNames: names.default([]),
    })
    .prefault({}),
  accessLogs: z.preprocess((given) => given ?? {}, z.strictObject({ export: logExportConfig })),
  wasm: wasmConfig,
  peers: z
    .strictObject({
      enabled: z.boolean().default(true),
      listen: address(':9978'),
      selector: z.string().min(1).default('app.kubernetes.io/name=meshrelay-agent'),
    })
    .prefault({}),
  leaderElection: electionConfig,
  plugins: pluginConfigs,
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
});

/** Fields that the environment and flags may set. */
export const AGENT_FIELDS: readonly string[] = [
  ...CLUSTER_FIELDS,
  'namespace',
  'managementNamespace',
  'replica',
  'relay.serverAddress',
  'relay.authority',
  'relay.cluster',
  'relay.trustDomain',
  'relay.mode',
  'relay.clientCertificate.secretName',
  'relay.clientCertificate.certFile',
  'relay.clientCertificate.keyFile',
  'relay.clientCertificate.caFile',
  'health.listen',
  'stats.listen',
  'dataPlane.listen',
  'dataPlane.audience',
  'dataPlane.serverNames',
  'accessLogs.export.stdout',
  'accessLogs.export.file.path',
  'accessLogs.export.file.maxBytes',
  'accessLogs.export.file.maxFiles',
  'accessLogs.export.otlp.url',
  'accessLogs.export.queue',
  'wasm.hosts',
  'wasm.maxBytes',
  'wasm.timeoutSeconds',
  'wasm.cacheDirectory',
  'wasm.cacheBytes',
  'peers.enabled',
  'peers.listen',
  'peers.selector',
  'log.level',
];
