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

/** The secrets of a proxy; undefined if it may have none. @param node as the proxy has sent it */
export type SecretsOf = (node: core.Node) => ProxySecrets | undefined | Promise<ProxySecrets | undefined>;

/** A server of secrets. */
export class SecretService implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param secretsOf called for each stream of a proxy */
  static async start(host: string, secretsOf: SecretsOf): Promise<SecretService> {
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
      { streamSecrets: (call: Call) => serve(call, secretsOf) },
    );
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    server.bindAsync(`${host}:0`, ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
    return new SecretService(server, await promise);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }
}

type Call = ServerDuplexStream<DiscoveryRequest, DiscoveryResponse>;

function serve(call: Call, secretsOf: SecretsOf): void {
  let own: ReturnType<SecretsOf>;
  let last = '';
  const respond = async ({ node, resourceNames, typeUrl }: DiscoveryRequest): Promise<void> => {
    if (node !== undefined) own = secretsOf(node);
    const names = [...resourceNames].sort();
    const secrets = await own;
    // An acknowledged secret does not change.
    if (secrets === undefined || names.join() === last) return;
    last = names.join();
    const resources = names.map((name) => packMessage(SecretSchema, secretOf(name, secrets)));
    call.write(create(DiscoveryResponseSchema, { typeUrl, versionInfo: '1', nonce: '1', resources }));
  };
  // Without an error listener, an Envoy that exits would end this process.
  call.on('error', () => {});
  call.on('end', () => call.end());
  call.on('data', (request: DiscoveryRequest) => {
    respond(request).catch((error: Error) => call.destroy(error));
  });
}

/** Address in `sidecar~10.1.0.1~...`. */
export function addressOf({ id }: core.Node): string {
  return id.split('~')[1] ?? '';
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
