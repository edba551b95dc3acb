/**
 * What a replica has for the proxies of its cluster: what they send (access logs, metrics), what they are told (configuration), who they are. It is made before any duty
 * begins, so that duties of the leader find it, and listens to nobody by itself: the duty `data-plane` does.
 */
import { createHash } from 'node:crypto';
import {
  AccessLogSink,
  type CompiledRules,
  EdgeMetrics,
  KEEP_ALL,
  MetricsSink,
  type Reporter,
} from '@meshrelay/access-log-sink';
import { ComposedRoutes } from '@meshrelay/envoy-api';
import { Proxies, type ProxyState } from '@meshrelay/envoy-api/server';
import { type Hash, type Rejection, type ShardSpec, XdsCatalog } from '@meshrelay/envoy-api/xds';
import { FilledExtensions } from '../wasm/extensions/filled-extensions.ts';
import type { Modules } from '../wasm/modules/modules.ts';
import type { WorkloadCa } from '../workload-ca/workload-ca.ts';
import { ofWholeLogs } from './access-log/whole-logs.ts';
import { PodDirectory } from './attribution/pod-directory.ts';

export class DataPlane implements Disposable {
  /** Whose addresses are whose. */
  readonly pods: PodDirectory;
  /** Access logs, kept for queries and told to who follows them. */
  readonly sink: AccessLogSink;
  /** Envoys' own metrics, added up by workload. */
  readonly metrics: MetricsSink;
  /** Who calls whom, counted from access logs. */
  readonly edges: EdgeMetrics;
  /** All configuration of the cluster's Envoys. What comes from XdsConfig objects is put in by way of {@link routes}. */
  readonly catalog: XdsCatalog;
  /** Stands in front of the catalog: it knows hosts (`virtualHost`), which the catalog does not. */
  readonly routes: ComposedRoutes<ShardSpec>;
  /** Stands between the two: it puts modules into extensions that only name them. */
  readonly extensions: FilledExtensions;
  /** Where those come from; until it is set, all are awaited. Tell {@link extensions} which stand otherwise. */
  modules: Pick<Modules, 'need' | 'forgo' | 'counts'> = {
    need: () => ({}),
    forgo: () => {},
    counts: { had: 0, missing: 0, bytes: 0 },
  };
  /** The Envoys that are connected to this replica. */
  readonly proxies: Proxies = new Proxies({
    onChanged: () => this.proxiesChanged(),
    onRejected: (proxy, rejection) => this.rejected(proxy, rejection),
  });
  /** Told whenever an Envoy came, took, refused or went; must cost nothing. */
  proxiesChanged: () => void = () => {};
  /** Told of each refusal. */
  rejected: (proxy: ProxyState, rejection: Rejection) => void = () => {};
  /** What is kept of a reporter's entries; everything until it is set. The same object as long as it is the same. */
  rulesFor: (reporter: Reporter) => CompiledRules = () => KEEP_ALL;
  /** Where callers' own secrets come from; none until it is set. */
  workloadCa: WorkloadCa | undefined;

  /** @param cluster the name of the Kubernetes cluster */
  constructor(cluster: string) {
    const attribution = new PodDirectory(cluster);
    this.pods = attribution;
    this.edges = new EdgeMetrics({ attribution });
    this.sink = new AccessLogSink({
      attribution,
      observers: [ofWholeLogs(this.edges, (reporter) => this.rulesFor(reporter))],
      rulesFor: (reporter) => this.rulesFor(reporter),
    });
    this.metrics = new MetricsSink({ attribution });
    this.catalog = new XdsCatalog({
      hash: hashOf,
      secrets: {
        get: (caller, name) => this.workloadCa?.get(caller, name),
        isAwaited: (caller, name) => this.workloadCa?.isAwaited(caller, name) ?? false,
        refused: (caller, name) => this.workloadCa?.refused(caller, name),
      },
    });
    this.extensions = new FilledExtensions({
      catalog: this.catalog,
      hash: hashOf,
      modules: {
        need: (reference) => this.modules.need(reference),
        forgo: (reference) => this.modules.forgo(reference),
      },
    });
    this.routes = new ComposedRoutes<ShardSpec>(this.extensions);
  }

  /** Ends all tails of access logs. */
  [Symbol.dispose](): void {
    this.sink[Symbol.dispose]();
  }
}

/** The version of a resource: the same on every replica, and after every restart. */
export const hashOf: Hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
