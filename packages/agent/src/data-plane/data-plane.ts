/**
 * Data plane of a replica: what proxies of the cluster send (access logs, metrics), the configuration they receive, and
 * their identity. It is created before any controller starts, so leader controllers can use it. It does not listen by
 * itself: the controller `data-plane` does.
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
  /** Maps addresses to pods. */
  readonly pods: PodDirectory;
  /** Access logs, stored for queries and streamed to tails. */
  readonly sink: AccessLogSink;
  /** Metrics of Envoys, added up by workload. */
  readonly metrics: MetricsSink;
  /** Traffic between workloads, counted from access logs. */
  readonly edges: EdgeMetrics;
  /** All configuration of the cluster's Envoys. XdsConfig objects enter it through {@link routes}. */
  readonly catalog: XdsCatalog;
  /** Sits in front of the catalog and handles hosts (`virtualHost`), which the catalog does not know. */
  readonly routes: ComposedRoutes<ShardSpec>;
  /** Sits between the two: it puts modules into extensions that only name them. */
  readonly extensions: FilledExtensions;
  /**
   * Source of those modules; until it is set, all modules are pending. Call {@link extensions} for each module whose
   * state changed.
   */
  modules: Pick<Modules, 'need' | 'release' | 'counts'> = {
    need: () => ({}),
    release: () => {},
    counts: { available: 0, missing: 0, bytes: 0 },
  };
  /** Envoys that are connected to this replica. */
  readonly proxies: Proxies = new Proxies({
    onChanged: () => this.proxiesChanged(),
    onRejected: (proxy, rejection) => this.rejected(proxy, rejection),
  });
  /** Called whenever an Envoy connected, acknowledged, rejected or disconnected; must be cheap. */
  proxiesChanged: () => void = () => {};
  /** Called for each rejection. */
  rejected: (proxy: ProxyState, rejection: Rejection) => void = () => {};
  /**
   * Retention rules of a reporter; until it is set, everything is retained. Returns the same object until the rules
   * change.
   */
  rulesFor: (reporter: Reporter) => CompiledRules = () => KEEP_ALL;
  /** Source of the callers' own secrets; none until it is set. */
  workloadCa: WorkloadCa | undefined;

  /** @param cluster name of the Kubernetes cluster */
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
        release: (reference) => this.modules.release(reference),
      },
    });
    this.routes = new ComposedRoutes<ShardSpec>(this.extensions);
  }

  /** Ends all tails of access logs. */
  [Symbol.dispose](): void {
    this.sink[Symbol.dispose]();
  }
}

/** Version of a resource: the same on every replica and after every restart. */
export const hashOf: Hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
