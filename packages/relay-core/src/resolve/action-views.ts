/** The settings of traffic policies as views show them: durations in milliseconds, names that are the same for every mesh. */
import type {
  ConnectionPool,
  CorsPolicy,
  Csrf,
  FaultInjection,
  HeaderManipulation,
  OutlierDetection,
  Retries,
  TcpKeepalive,
  TlsMode,
} from '@meshrelay/api';
import { defaultOutlierDetection, parseGoDuration } from '@meshrelay/api';
import { rememberedUntilRest } from '../plugin/remembered.ts';
import type {
  ConnectionPoolView,
  ConnectionView,
  CorsView,
  CsrfView,
  FaultView,
  HeaderManipulationView,
  MtlsMode,
  OutlierDetectionView,
  RetriesView,
  RouteActions,
  Sourced,
  StringMatchView,
  TcpKeepaliveView,
} from '../plugin/views/mod.ts';
import { stringMatchView } from './match-view.ts';
import type { Fields } from './traffic-plan.ts';

/** An object without its undefined members: what exact optional properties ask for. */
function given<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof T];
    if (value !== undefined) kept[name] = value;
  }
  return kept as T;
}

/** Milliseconds; policies with bad durations never come here. */
function milliseconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseGoDuration(duration);
}

function sourced<From, To>(
  field: Sourced<From> | undefined,
  view: (value: From) => To | undefined,
): Sourced<To> | undefined {
  if (field === undefined) return undefined;
  const value = view(field.value);
  return value === undefined ? undefined : { value, from: field.from };
}

/** The actions of a route but for those that name other destinations (shift and mirror). */
export const actionViews: (fields: Fields) => Omit<RouteActions, 'shift' | 'mirror'> = rememberedUntilRest((fields) => {
  return given<Omit<RouteActions, 'shift' | 'mirror'>>({
    timeoutMs: sourced(fields.requestTimeout, milliseconds),
    retries: sourced(fields.retries, retriesView),
    fault: sourced(fields.faultInjection, faultView),
    cors: sourced(fields.corsPolicy, corsView),
    headers: sourced(fields.headerManipulation, headerManipulationView),
    csrf: sourced(fields.csrf, csrfView),
    localRateLimit: fields.localRateLimit,
  });
});

const retriesView = rememberedUntilRest(
  ({ attempts, perTryTimeout, retryOn, retryRemoteLocalities }: Retries): RetriesView => {
    return given<RetriesView>({
      attempts,
      perTryTimeoutMs: milliseconds(perTryTimeout),
      // No condition is none of its own: meshes would read an empty list each in its way, some as never.
      retryOn: retryOn?.length === 0 ? undefined : retryOn,
      retryRemoteLocalities,
    });
  },
);

const faultView = rememberedUntilRest(({ fixedDelay, abort, percentage }: FaultInjection): FaultView => {
  return given<FaultView>({ delayMs: milliseconds(fixedDelay), abortStatus: abort?.httpStatus, percentage });
});

const corsView = rememberedUntilRest((cors: CorsPolicy): CorsView => {
  return given<CorsView>({
    allowOrigins: stringMatches(cors.allowOrigins),
    allowMethods: cors.allowMethods ?? [],
    allowHeaders: cors.allowHeaders ?? [],
    exposeHeaders: cors.exposeHeaders ?? [],
    maxAgeMs: inWholeSeconds(milliseconds(cors.maxAge)),
    allowCredentials: cors.allowCredentials,
  });
});

const csrfView = rememberedUntilRest(
  ({ filterEnabled = false, shadowEnabled = false, percentage, additionalOrigins }: Csrf): CsrfView => {
    return given<CsrfView>({
      enabled: filterEnabled,
      shadow: shadowEnabled,
      percentage,
      additionalOrigins: stringMatches(additionalOrigins),
    });
  },
);

function stringMatches(list: CorsPolicy['allowOrigins']): StringMatchView[] {
  return (list ?? []).flatMap((match) => stringMatchView(match) ?? []);
}

/** The same view for the same settings. */
export const headerManipulationView: (headers: HeaderManipulation) => HeaderManipulationView = rememberedUntilRest(
  (headers) => {
    return {
      requestAdd: headers.appendRequestHeaders ?? {},
      requestRemove: headers.removeRequestHeaders ?? [],
      responseAdd: headers.appendResponseHeaders ?? {},
      responseRemove: headers.removeResponseHeaders ?? [],
    };
  },
);

/** How clients connect; the same view for the same fields. `defaultMtls` is the installation's own, used where no policy says otherwise. */
export function connectionView(fields: Fields, defaultMtls: TlsMode | undefined): ConnectionView {
  const byMode = connectionViews(fields);
  const view = byMode.get(defaultMtls) ?? newConnectionView(fields, defaultMtls);
  byMode.set(defaultMtls, view);
  return view;
}

const connectionViews = rememberedUntilRest((_fields: Fields) => new Map<TlsMode | undefined, ConnectionView>());

function newConnectionView(fields: Fields, defaultMtls: TlsMode | undefined): ConnectionView {
  const mtls = sourced(fields.mtls, ({ istio }) => (istio === undefined ? undefined : mtlsMode(istio.tlsMode)));
  return given<ConnectionView>({
    mtls: mtls ?? (defaultMtls === undefined ? undefined : { value: mtlsMode(defaultMtls), from: [] }),
    outlierDetection: sourced(fields.outlierDetection, ownOutlierDetectionView),
    pool: sourced(fields.connectionPool, connectionPoolView),
  });
}

/** As views name a mode. */
export function mtlsMode(mode: TlsMode): MtlsMode {
  return mode === 'ISTIO_MUTUAL' ? 'MUTUAL' : mode;
}

const ownOutlierDetectionView = rememberedUntilRest(
  (spec: OutlierDetection): OutlierDetectionView => outlierDetectionView(spec, defaultOutlierDetection),
);

/** With what its omitted fields mean. Policies with bad durations never come here. */
export function outlierDetectionView(
  spec: OutlierDetection,
  defaults: Required<OutlierDetection>,
): OutlierDetectionView {
  const { consecutiveErrors, interval, baseEjectionTime, maxEjectionPercent } = { ...defaults, ...spec };
  return {
    consecutiveErrors,
    intervalMs: parseGoDuration(interval) as number,
    baseEjectionTimeMs: parseGoDuration(baseEjectionTime) as number,
    maxEjectionPercent,
  };
}

const connectionPoolView = rememberedUntilRest(({ tcp, http }: ConnectionPool): ConnectionPoolView => {
  return given<ConnectionPoolView>({
    maxConnections: tcp?.maxConnections,
    connectTimeoutMs: milliseconds(tcp?.connectTimeout),
    tcpKeepalive: tcp?.tcpKeepalive === undefined ? undefined : keepaliveView(tcp.tcpKeepalive),
    http1MaxPendingRequests: http?.http1MaxPendingRequests,
    http2MaxRequests: http?.http2MaxRequests,
    maxRequestsPerConnection: http?.maxRequestsPerConnection,
    idleTimeoutMs: milliseconds(http?.idleTimeout),
  });
});

export function keepaliveView({ probes, time, interval }: TcpKeepalive): TcpKeepaliveView {
  return given<TcpKeepaliveView>({ probes, timeMs: milliseconds(time), intervalMs: milliseconds(interval) });
}

/** HTTP tells the age of an answer in seconds, and 0 would be none at all. */
function inWholeSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.max(1, Math.round(ms / 1000)) * 1000;
}
