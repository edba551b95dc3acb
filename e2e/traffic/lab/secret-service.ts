/** Envoy's Secret Discovery Service: certificates for proxies, as the agent next to an Envoy of Istio serves them. */
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import {
  type core,
  create,
  discovery,
  fromBinary,
  type MessageInitShape,
  packMessage,
  tls,
  toBinary,
} from '@meshrelay/envoy-api';

const { DiscoveryRequestSchema, DiscoveryResponseSchema } = discovery;
const { SecretSchema } = tls;
type DiscoveryRequest = discovery.DiscoveryRequest;
type DiscoveryResponse = discovery.DiscoveryResponse;

const PATH = '/envoy.service.secret.v3.SecretDiscoveryService/StreamSecrets';
/**
 * The name by which istiod's configuration requests the trust bundle; every other name is the proxy's own certificate.
 */
const ROOTS = 'ROOTCA';

/** Of one proxy, in PEM. */
export interface ProxySecrets {
  readonly chain: string;
  readonly key: string;
  readonly trusted: string;
}

/** A server of secrets, by the addresses of proxies. */
export class SecretService implements AsyncDisposable {
  /** The `host:port` at which it listens. */
  readonly port: number;
  readonly #server: Server;
  readonly #secrets: Map<string, ProxySecrets>;

  private constructor(server: Server, port: number, secrets: Map<string, ProxySecrets>) {
    this.#server = server;
    this.port = port;
    this.#secrets = secrets;
  }

  static async start(host: string): Promise<SecretService> {
    const secrets = new Map<string, ProxySecrets>();
    const server = new Server();
    server.addService(
      {
        streamSecrets: {
          path: PATH,
          requestStream: true,
          responseStream: true,
          requestSerialize: (request: DiscoveryRequest) => Buffer.from(toBinary(DiscoveryRequestSchema, request)),
          requestDeserialize: (bytes: Buffer) => fromBinary(DiscoveryRequestSchema, bytes),
          responseSerialize: (response: DiscoveryResponse) => Buffer.from(toBinary(DiscoveryResponseSchema, response)),
          responseDeserialize: (bytes: Buffer) => fromBinary(DiscoveryResponseSchema, bytes),
        },
      },
      { streamSecrets: (call: Call) => serve(call, secrets) },
    );
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    server.bindAsync(`${host}:0`, ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
    return new SecretService(server, await promise, secrets);
  }

  /** From its next stream on, this proxy gets these. */
  set(address: string, secrets: ProxySecrets): void {
    this.#secrets.set(address, secrets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }
}

type Call = ServerDuplexStream<DiscoveryRequest, DiscoveryResponse>;

function serve(call: Call, secrets: ReadonlyMap<string, ProxySecrets>): void {
  let proxy = '';
  let last = '';
  // Without an error listener, an Envoy that exits would end this process.
  call.on('error', () => {});
  call.on('end', () => call.end());
  call.on('data', ({ node, resourceNames, typeUrl }: DiscoveryRequest) => {
    proxy = addressOf(node?.id) ?? proxy;
    const names = [...resourceNames].sort();
    const own = secrets.get(proxy);
    // An acknowledged secret does not change.
    if (own === undefined || names.join() === last) return;
    last = names.join();
    const resources = names.map((name) => packMessage(SecretSchema, secretOf(name, own)));
    call.write(create(DiscoveryResponseSchema, { typeUrl, versionInfo: '1', nonce: '1', resources }));
  });
}

/** Address in `sidecar~10.1.0.1~...`. */
function addressOf(id = ''): string | undefined {
  return id.split('~')[1];
}

function secretOf(name: string, { chain, key, trusted }: ProxySecrets): tls.Secret {
  const type: MessageInitShape<typeof SecretSchema>['type'] =
    name === ROOTS
      ? { case: 'validationContext', value: { trustedCa: inline(trusted) } }
      : { case: 'tlsCertificate', value: { certificateChain: inline(chain), privateKey: inline(key) } };
  return create(SecretSchema, { name, type });
}

function inline(text: string): MessageInitShape<typeof core.DataSourceSchema> {
  return { specifier: { case: 'inlineBytes', value: Buffer.from(text) } };
}
