/** A configuration server for a real Envoy: TLS, tokens, one catalog that survives restarts. */
import {
  createRoot,
  generateKey,
  issueServerCertificate,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import {
  adsService,
  Callers,
  type DataPlaneServer,
  listenForProxies,
  Proxies,
  type VerifiedServiceAccount,
} from '../../src/server/mod.ts';
import { type Rejection, XdsCatalog } from '../../src/xds/mod.ts';
import { hash } from './fixture.ts';

export interface Certificates {
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly rootPem: string;
}

/** For 127.0.0.1 and the name `agent.test`. */
export async function certificates(): Promise<Certificates> {
  const now = new Date();
  const ca = await createRoot({
    commonName: 'root of a test',
    trustDomain: trustDomain('cluster.test'),
    days: 10,
    now,
  });
  const key = await generateKey('relay-server');
  const issued = await issueServerCertificate({ ca, key, dnsNames: ['agent.test'], ipAddresses: ['127.0.0.1'], now });
  if (!issued.ok) throw new Error(`server certificate: ${issued.message}`);
  const certificate = { cert: issued.chainPem, key: writePrivateKey(key) };
  return { certificate, rootPem: writeCertificates([ca.certificate]) };
}

/** Tokens are `token-of-NAME`. */
export const review = async (token: string): Promise<VerifiedServiceAccount | undefined> => {
  const serviceAccount = /^token-of-(\w+)$/.exec(token)?.[1];
  return serviceAccount === undefined ? undefined : { namespace: 'shop', serviceAccount };
};

export class ControlPlane implements AsyncDisposable {
  readonly catalog = new XdsCatalog({ hash });
  readonly errors: unknown[] = [];
  readonly rejections: Rejection[] = [];
  readonly proxies = new Proxies({ onRejected: (_, rejection) => this.rejections.push(rejection) });
  readonly #certificates: Certificates;
  #server: DataPlaneServer | undefined;

  constructor(own: Certificates) {
    this.#certificates = own;
  }

  get port(): number {
    return this.#server?.port ?? 0;
  }

  async start(port = 0): Promise<void> {
    const { catalog, proxies } = this;
    const ads = adsService({
      catalog,
      proxies,
      hash,
      callers: new Callers({ review }),
      onError: (error) => this.errors.push(error),
    });
    this.#server = await listenForProxies({
      listen: { host: '127.0.0.1', port },
      plain: [],
      http: (_, response) => response.writeHead(404).end(),
      headerBytes: () => 0,
      secure: { services: [ads], certificate: () => this.#certificates.certificate },
    });
  }

  async stop(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Bootstrap configuration for an Envoy of a ServiceAccount. */
  bootstrap(serviceAccount: string, { delta = true } = {}): Record<string, unknown> {
    const source = { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '5s' };
    return {
      node: { id: `${serviceAccount}-1`, cluster: 'web', metadata: { workload: 'web' } },
      dynamic_resources: {
        ads_config: {
          api_type: delta ? 'DELTA_GRPC' : 'GRPC',
          transport_api_version: 'V3',
          set_node_on_first_message_only: true,
          grpc_services: [
            {
              envoy_grpc: { cluster_name: 'agent', authority: 'agent.test' },
              initial_metadata: [{ key: 'authorization', value: `Bearer token-of-${serviceAccount}` }],
            },
          ],
        },
        cds_config: source,
        lds_config: source,
      },
      static_resources: { clusters: [this.#agentCluster()] },
    };
  }

  #agentCluster(): Record<string, unknown> {
    const http2 = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
    const endpoint = { address: { socket_address: { address: '127.0.0.1', port_value: this.port } } };
    return {
      name: 'agent',
      type: 'STATIC',
      connect_timeout: '5s',
      typed_extension_protocol_options: {
        [http2]: {
          '@type': `type.googleapis.com/${http2}`,
          explicit_http_config: { http2_protocol_options: {} },
        },
      },
      load_assignment: { cluster_name: 'agent', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
      transport_socket: {
        name: 'envoy.transport_sockets.tls',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
          sni: 'agent.test',
          common_tls_context: {
            alpn_protocols: ['h2'],
            tls_params: { tls_minimum_protocol_version: 'TLSv1_3', tls_maximum_protocol_version: 'TLSv1_3' },
            validation_context: {
              trusted_ca: { inline_string: this.#certificates.rootPem },
              match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: 'agent.test' } }],
            },
          },
        },
      },
    };
  }
}
