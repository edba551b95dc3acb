/** Configuration for Envoys over gRPC: each caller is authenticated and gets only its own configuration. */
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type {
  DeltaDiscoveryRequest,
  DeltaDiscoveryResponse,
  DiscoveryRequest,
  DiscoveryResponse,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import { aggregatedDiscoveryService } from '../services/services.ts';
import type { XdsCatalog } from '../xds/catalog/catalog.ts';
import { DeltaResponses } from '../xds/delta-responses.ts';
import { DeltaStream } from '../xds/delta-stream.ts';
import type { Hash } from '../xds/resource.ts';
import { SotwStream } from '../xds/sotw-stream.ts';
import { AdsCall } from './ads-call.ts';
import { type Callers, CallersBusyError, type VerifiedServiceAccount } from './callers.ts';
import type { ServedService } from './data-plane-server.ts';
import { FairScheduler } from './fair-scheduler.ts';
import type { Proxies } from './proxies.ts';

export interface AdsOptions {
  readonly catalog: XdsCatalog;
  readonly callers: Callers;
  readonly hash: Hash;
  readonly proxies: Proxies;
  /**
   * Whether all configuration is known. Until then Envoys must retry, and keep their configuration. Default: always.
   */
  readonly ready?: (() => boolean) | undefined;
  /** Maximum number of concurrent streams of one ServiceAccount. */
  readonly streamsPerAccount?: number | undefined;
  readonly onError: (error: unknown) => void;
  /** Called with the address of each caller without a valid token. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** More Envoys than any ServiceAccount of a healthy cluster has. */
const STREAMS_PER_ACCOUNT = 5000;

/** The service, for a grpc-js server with TLS callers. */
export function adsService(options: AdsOptions): ServedService {
  const { catalog, hash } = options;
  const scheduler = new FairScheduler();
  const responses = new DeltaResponses();
  return {
    definition: { ...aggregatedDiscoveryService },
    handlers: {
      deltaAggregatedResources: (call: ServerDuplexStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse>) =>
        void serve(call, options, (account) => {
          return new AdsCall(call, {
            ...options,
            account,
            catalog,
            scheduler,
            machine: (own) => new DeltaStream({ ...own, responses }),
          });
        }),
      streamAggregatedResources: (call: ServerDuplexStream<DiscoveryRequest, DiscoveryResponse>) =>
        void serve(call, options, (account) => {
          return new AdsCall(call, {
            ...options,
            account,
            catalog,
            scheduler,
            machine: (own) => new SotwStream({ ...own, hash }),
          });
        }),
    },
  };
}

async function serve<Request, Response>(
  call: ServerDuplexStream<Request, Response>,
  { callers, proxies, ready, streamsPerAccount = STREAMS_PER_ACCOUNT, onError, onRefused }: AdsOptions,
  begin: (account: VerifiedServiceAccount) => { run(): void },
): Promise<void> {
  // An error event without a listener would end the process.
  call.on('error', () => {});
  const refuse = (code: status, details: string): void => void call.emit('error', { code, details });
  try {
    if (ready?.() === false) {
      refuse(status.UNAVAILABLE, 'the configuration is not synced yet; retry later');
      return;
    }
    const account = await accountOf(call, callers);
    if (account === undefined) {
      onRefused?.(call.getPeer());
      refuse(status.UNAUTHENTICATED, 'the call needs a ServiceAccount token for the audience of the agent');
    } else if (proxies.streamsOf(account) >= streamsPerAccount) {
      refuse(status.RESOURCE_EXHAUSTED, 'this ServiceAccount has the maximum number of streams');
    } else if (!call.cancelled) {
      begin(account).run();
    }
  } catch (error) {
    if (!(error instanceof CallersBusyError)) onError(error);
    refuse(status.UNAVAILABLE, 'the server cannot authenticate the client now; retry later');
  }
}

async function accountOf(
  call: Pick<ServerDuplexStream<unknown, unknown>, 'metadata'>,
  callers: Callers,
): Promise<VerifiedServiceAccount | undefined> {
  const [header] = call.metadata.get('authorization');
  const token = /^Bearer (\S+)$/i.exec(String(header ?? ''))?.[1];
  return token === undefined ? undefined : callers.of(token);
}
