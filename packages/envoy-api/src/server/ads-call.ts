/** The call of one Envoy: connects the transport with the state machine of the stream. */
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Node } from '../gen/envoy/config/core/v3/base_pb.ts';
import type { CallerView } from '../xds/catalog/caller-view.ts';
import type { XdsCatalog } from '../xds/catalog/catalog.ts';
import type { XdsKey } from '../xds/resource-key.ts';
import { type XdsStream, XdsStreamError, type XdsStreamOptions } from '../xds/stream.ts';
import type { VerifiedServiceAccount } from './callers.ts';
import type { FairScheduler, Speaker } from './fair-scheduler.ts';
import type { Proxies, ProxyEntry } from './proxies.ts';

interface AdsCallOptions<Request, Response> {
  readonly account: VerifiedServiceAccount;
  readonly catalog: XdsCatalog;
  readonly proxies: Proxies;
  /** Shared with all other calls. */
  readonly scheduler: FairScheduler;
  readonly machine: (options: XdsStreamOptions) => XdsStream<Request, Response>;
  readonly onError: (error: unknown) => void;
}

export class AdsCall<
  Request extends { node?: Node | undefined },
  Response extends { readonly resources: readonly unknown[] },
> implements Speaker
{
  readonly #call: ServerDuplexStream<Request, Response>;
  readonly #options: AdsCallOptions<Request, Response>;
  #view: CallerView | undefined;
  #machine: XdsStream<Request, Response> | undefined;
  #entry: ProxyEntry | undefined;
  /**
   * Changes that the machine gets at its turn: until then a change costs a stream only an entry here, and there are
   * many streams.
   */
  #pendingUpdates: (readonly XdsKey[])[] | undefined;
  #full = false;
  #due = false;
  #ended = false;

  constructor(call: ServerDuplexStream<Request, Response>, options: AdsCallOptions<Request, Response>) {
    this.#call = call;
    this.#options = options;
  }

  run(): void {
    const call = this.#call;
    call.on('data', (request: Request) => this.#guarded(() => this.#receive(request)));
    call.on('drain', () => {
      this.#full = false;
      this.#speakSoon();
    });
    call.on('end', () => {
      this.#end();
      call.end();
    });
    for (const over of ['cancelled', 'close', 'error'] as const) call.on(over, () => this.#end());
  }

  #receive(request: Request): void {
    if (this.#ended) return;
    const machine = this.#machine ?? this.#begin(request.node);
    machine.receive(request);
    this.#speakSoon();
  }

  /** The first request contains Envoy's node information; its other fields, 60 KB, are dropped with the message. */
  #begin(node: Node | undefined): XdsStream<Request, Response> {
    const { account, catalog, proxies, machine } = this.#options;
    const workload = workloadOf(node);
    const view = catalog.view({ ...account, workload });
    const entry = proxies.opened(account, node?.id ?? '', workload);
    view.onChanged = (keys) => this.#changed(keys);
    const made = machine({
      view,
      onAccepted: (type, versions) => entry.accepted(type, versions),
      onRejected: (rejection) => entry.rejected(rejection),
      onKnown: (type, versions) => entry.known(type, versions),
    });
    this.#view = view;
    this.#entry = entry;
    this.#machine = made;
    entry.rejections = () => made.rejections();
    entry.requested = () => view.extensions;
    entry.isIdle = () => this.#isIdle;
    entry.uses = ({ type, name }) => view.scope.has(type, name);
    return made;
  }

  #changed(keys: readonly XdsKey[]): void {
    // A stream that cannot write gets no turn, and would store an entry for each change until then.
    if (this.#full) this.#machine?.changed(keys);
    else if (this.#pendingUpdates === undefined) this.#pendingUpdates = [keys];
    else this.#pendingUpdates.push(keys);
    this.#speakSoon();
  }

  #takePending(): void {
    for (const keys of this.#pendingUpdates ?? []) this.#machine?.changed(keys);
    this.#pendingUpdates = undefined;
  }

  /** Sends pending responses while the transport accepts them. @returns the number of resources sent */
  speak(): number {
    this.#due = false;
    let sentResponse = 0;
    this.#guarded(() => {
      this.#takePending();
      while (!this.#full && !this.#ended) {
        const response = this.#machine?.next();
        if (response === undefined) break;
        sentResponse += response.resources.length;
        this.#full = !this.#call.write(response);
      }
    });
    if (this.#isIdle) this.#entry?.answeredAll();
    return sentResponse;
  }

  get #isIdle(): boolean {
    return (
      !this.#ended && !this.#due && !this.#full && this.#pendingUpdates === undefined && this.#machine?.isIdle === true
    );
  }

  /** Changes of one tick are sent together. */
  #speakSoon(): void {
    if (this.#due || this.#full || this.#ended) return;
    this.#due = true;
    this.#options.scheduler.add(this);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const managed = !(error instanceof XdsStreamError);
      if (managed) this.#options.onError(error);
      this.#end();
      this.#call.emit('error', {
        code: managed ? status.INTERNAL : status.RESOURCE_EXHAUSTED,
        details: managed ? 'internal error of the configuration server, see its log' : (error as Error).message,
      });
    }
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#view?.[Symbol.dispose]();
    this.#entry?.closed();
  }
}

/** `workload` in its metadata, else Envoy's own cluster name (`--service-cluster`). */
function workloadOf(node: Node | undefined): string | undefined {
  const named = node?.metadata?.['workload'];
  if (typeof named === 'string' && named !== '') return named;
  return node?.cluster === '' ? undefined : node?.cluster;
}
