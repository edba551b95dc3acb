/** Mutual TLS between proxies, with certificates that come from the agent. */
import { core, create, pack, tls } from '@meshrelay/envoy-api';
import { type DestinationFacts, WORKLOAD_SECRETS } from '@meshrelay/relay-core';
import { fromAgent } from '../messages.ts';

const TRANSPORT = 'envoy.transport_sockets.tls';

/** Who may answer: an identity, or the beginning of one. */
export interface Identity {
  readonly uri: string;
  readonly whole: boolean;
}

/** Whose certificate a destination's proxies show. Where nobody knows yet what accounts its pods run under, any of its namespace. */
export function identitiesOf({ mesh, namespace, serviceAccounts }: DestinationFacts): readonly Identity[] {
  const beginning = `spiffe://${mesh.trustDomain}/ns/${namespace}/sa/`;
  if (serviceAccounts.length === 0) return [{ uri: beginning, whole: false }];
  return serviceAccounts.map((account) => ({ uri: `${beginning}${account}`, whole: true }));
}

/** How a caller proves who it is, and asks for a name. `protocols` tell the other side what is sent. */
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

/** How a proxy has all its callers prove who they are. */
export function downstreamTls(protocols: readonly string[]): core.TransportSocket {
  const context = pack(tls.DownstreamTlsContextSchema, {
    requireClientCertificate: true,
    commonTlsContext: commonContext([], protocols),
  });
  return create(core.TransportSocketSchema, { name: TRANSPORT, configType: { case: 'typedConfig', value: context } });
}

/** TLS without a certificate of the caller's: to applications that speak it themselves. */
export function simpleTls(sni: string): core.TransportSocket {
  const context = pack(tls.UpstreamTlsContextSchema, { sni, commonTlsContext: { tlsParams: UNSUPPORTED_VERSIONS } });
  return create(core.TransportSocketSchema, { name: TRANSPORT, configType: { case: 'typedConfig', value: context } });
}

const { TlsParameters_TlsProtocol: Version } = tls;

/** Both ends are said: Envoy's own upper end for callers is below the lower one here. */
const VERSIONS = { tlsMinimumProtocolVersion: Version.TLSv1_3, tlsMaximumProtocolVersion: Version.TLSv1_3 };
/** What applications speak is theirs to say. */
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
