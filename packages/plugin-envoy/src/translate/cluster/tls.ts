/** Mutual TLS between proxies, with certificates from the agent. */
import { core, create, pack, tls } from '@meshrelay/envoy-api';
import { type DestinationFacts, WORKLOAD_SECRETS } from '@meshrelay/plugin';
import { fromAgent } from '../messages.ts';

const TRANSPORT = 'envoy.transport_sockets.tls';

/** Accepted identity of the server: an exact one, or a prefix. */
export interface Identity {
  readonly uri: string;
  readonly whole: boolean;
}

/** Identities of a destination's proxies. If the accounts of its pods are unknown, any account of its namespace. */
export function identitiesOf({ mesh, namespace, serviceAccounts }: DestinationFacts): readonly Identity[] {
  const beginning = `spiffe://${mesh.trustDomain}/ns/${namespace}/sa/`;
  if (serviceAccounts.length === 0) return [{ uri: beginning, whole: false }];
  return serviceAccounts.map((account) => ({ uri: `${beginning}${account}`, whole: true }));
}

/** The caller's TLS settings: its certificate and the SNI. `protocols` (ALPN) describe the traffic to the server. */
export function upstreamTls(
  sni: string,
  identities: readonly Identity[],
  protocols: readonly string[],
): core.TransportSocket {
  const context = pack(tls.UpstreamTlsContextSchema, {
    sni,
    commonTlsContext: commonContext(identities, protocols),
  });
  return create(core.TransportSocketSchema, { name: TRANSPORT, configType: { case: 'typedConfig', value: context } });
}

/** TLS settings by which a proxy requires a certificate of all callers. */
export function downstreamTls(protocols: readonly string[]): core.TransportSocket {
  const context = pack(tls.DownstreamTlsContextSchema, {
    requireClientCertificate: true,
    commonTlsContext: commonContext([], protocols),
  });
  return create(core.TransportSocketSchema, { name: TRANSPORT, configType: { case: 'typedConfig', value: context } });
}

/** TLS without a client certificate: to applications that terminate TLS themselves. */
export function simpleTls(sni: string): core.TransportSocket {
  const context = pack(tls.UpstreamTlsContextSchema, { sni, commonTlsContext: { tlsParams: UNSUPPORTED_VERSIONS } });
  return create(core.TransportSocketSchema, { name: TRANSPORT, configType: { case: 'typedConfig', value: context } });
}

const { TlsParameters_TlsProtocol: Version } = tls;

/** Both limits are set: Envoy's default maximum for clients is below this minimum. */
const VERSIONS = { tlsMinimumProtocolVersion: Version.TLSv1_3, tlsMaximumProtocolVersion: Version.TLSv1_3 };
/** Applications choose their TLS version. */
const UNSUPPORTED_VERSIONS = { tlsMinimumProtocolVersion: Version.TLSv1_2, tlsMaximumProtocolVersion: Version.TLSv1_3 };

function commonContext(identities: readonly Identity[], protocols: readonly string[]): tls.CommonTlsContext {
  return create(tls.CommonTlsContextSchema, {
    tlsParams: VERSIONS,
    alpnProtocols: [...protocols],
    tlsCertificateSdsSecretConfigs: [{ name: WORKLOAD_SECRETS.certificate, sdsConfig: fromAgent() }],
    validationContextType: {
      case: 'combinedValidationContext',
      value: {
        defaultValidationContext: {
          matchTypedSubjectAltNames: identities.map(({ uri, whole }) => ({
            sanType: tls.SubjectAltNameMatcher_SanType.URI,
            matcher: { matchPattern: { case: whole ? 'exact' : 'prefix', value: uri } as const },
          })),
        },
        validationContextSdsSecretConfig: { name: WORKLOAD_SECRETS.roots, sdsConfig: fromAgent() },
      },
    },
  });
}
