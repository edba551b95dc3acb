/** Configuration of the cluster's Envoys, as every replica serves it: content, recipients and serving certificate. */

import { watchLog } from '@meshrelay/cluster-controllers';
import type { Clock } from '@meshrelay/concurrency';
import { adsService, Callers, type ServedService } from '@meshrelay/envoy-api/server';
import { type KindWatch, type KubeConnection, meshrelayKind, Reviews, watchKind } from '@meshrelay/kube';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { AgentConfig } from '../../config/config.ts';
import { type DataPlane, hashOf } from '../data-plane.ts';
import { ServingCertificate } from '../roots/serving-certificate.ts';
import { type EnvoyAnswer, type EnvoyQuestion, envoyAnswer } from './envoy-answers.ts';
import { extensionAckStatus } from './extension-ack-status.ts';
import { ObjectStatuses } from './object-statuses.ts';
import { RefusedCallers } from './refused-callers.ts';
import { refusedResources } from './refused-resources.ts';
import { reviewCaller } from './review-caller.ts';
import { type SeenXdsObject, XdsObjects } from './xds-objects.ts';

const XDS_CONFIG = meshrelayKind('XdsConfig');

export interface EnvoyConfigurationOptions {
  readonly config: Pick<AgentConfig, 'namespace' | 'managementNamespace' | 'dataPlane'>;
  readonly connection: KubeConnection;
  readonly replica: string;
  /** Whether this replica leads now. */
  readonly leads: () => boolean;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Runs from construction until it is disposed. */
export class EnvoyConfiguration implements AsyncDisposable {
  readonly service: ServedService;
  readonly certificate: ServingCertificate;
  readonly #plane: DataPlane;
  readonly #objects: XdsObjects;
  readonly #statuses: ObjectStatuses;
  readonly #watch: KindWatch;
  /** Called when objects appeared or changed; must be cheap. */
  objectsChanged: () => void = () => {};

  constructor(options: EnvoyConfigurationOptions, plane: DataPlane) {
    const { connection, config, clock, now, replica, leads, logger } = options;
    const { audience, serverNames } = config.dataPlane;
    this.#plane = plane;
    this.#objects = new XdsObjects({
      proxies: plane.proxies,
      routes: plane.routes,
      taken: () => {
        this.#statuses.reconcile();
        this.objectsChanged();
      },
    });
    this.#statuses = new ObjectStatuses({
      connection,
      namespace: config.namespace,
      replica,
      seen: () => this.seen,
      nacked: () => refusedResources(plane),
      ackStatus: () => extensionAckStatus(plane),
      leads,
      clock,
      now,
      logger,
    });
    plane.proxiesChanged = () => this.#statuses.reconcile();
    plane.rejected = ({ namespace, serviceAccount, node }, { type, versions, message }) =>
      logger.warn('an Envoy rejects its configuration and keeps the previous one', {
        namespace,
        serviceAccount,
        node,
        type,
        names: [...versions.keys()].slice(0, 10),
        reason: message,
      });
    this.#watch = watchKind(connection, XDS_CONFIG, this.#objects, {
      namespace: config.namespace,
      labelSelector: `${OWNER_LABEL}=${config.managementNamespace}`,
      clock,
      observer: watchLog(logger, XDS_CONFIG.kind),
    });
    this.certificate = new ServingCertificate({
      connection,
      namespace: config.namespace,
      names: serverNames.length > 0 ? serverNames : namesOf(config.namespace),
      clock,
      now,
      logger,
    });
    const refusedCallers = new RefusedCallers(clock, logger);
    this.service = adsService({
      catalog: plane.catalog,
      callers: new Callers({ review: reviewCaller(new Reviews(connection), audience) }),
      hash: hashOf,
      proxies: plane.proxies,
      ready: () => this.#objects.complete,
      onError: (error) => logger.warn('an Envoy could not be served', { error }),
      onRefused: (peer) => refusedCallers.add(peer),
    });
  }

  /** Observed state of each object, by name; undefined before all are known. */
  get seen(): ReadonlyMap<string, SeenXdsObject> | undefined {
    return this.#objects.complete ? this.#objects.seen : undefined;
  }

  /** ACK state of this replica's Envoys; undefined before all objects are known. */
  answer(question: EnvoyQuestion): EnvoyAnswer | undefined {
    const { seen } = this;
    return seen === undefined ? undefined : envoyAnswer(this.#plane, seen, question);
  }

  /** Number of objects that contain configuration. */
  get size(): number {
    return this.#objects.size;
  }

  /** Number of resources that Envoys of this replica reject, or that are not sent because they would be rejected. */
  get nacked(): number {
    return this.#statuses.count;
  }

  /** Why Envoys cannot be served yet. */
  get problem(): string | undefined {
    if (this.#objects.complete) return undefined;
    const { state } = this.#watch;
    return `XdsConfig is not synced yet${state.phase === 'retrying' ? ` (${state.error.message})` : ''}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#statuses[Symbol.asyncDispose]();
    await Promise.all([this.#watch[Symbol.asyncDispose](), this.certificate[Symbol.asyncDispose]()]);
  }
}

/** DNS names of the Service in front of the agent's Deployment. */
function namesOf(namespace: string): readonly string[] {
  const name = `meshrelay-agent.${namespace}`;
  return [name, `${name}.svc`, `${name}.svc.cluster.local`];
}
