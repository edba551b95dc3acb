/** A pull stream, watched for what the agent takes: the sender itself tells of refusals only. */
import type {
  KindLag,
  ObjectKey,
  PullMachine,
  PullRequest,
  PullResponse,
  RelayError,
  StreamMachine,
} from '@meshrelay/relay-protocol';

type Delta = Extract<PullResponse, { readonly type: 'delta' }>;
/** An object as it was sent; a deletion has no hash. */
type Sent = ObjectKey & { readonly hash?: string };
type Ack = Extract<PullRequest, { readonly type: 'ack' }>;

export class ObservedPull implements StreamMachine<PullRequest, PullResponse> {
  readonly #inner: PullMachine;
  readonly #taken: (objects: readonly Sent[]) => void;
  readonly #lagging: (lags: readonly KindLag[]) => void;
  /** The objects of each delta that is not answered yet. */
  readonly #sent = new Map<number, readonly Sent[]>();

  /**
   * @param taken told of the objects whose sent state, or deletion, the agent accepted
   * @param lagging told with each heartbeat how far the agent is behind
   */
  constructor(
    inner: PullMachine,
    taken: (objects: readonly Sent[]) => void,
    lagging: (lags: readonly KindLag[]) => void = () => undefined,
  ) {
    this.#inner = inner;
    this.#taken = taken;
    this.#lagging = lagging;
  }

  get answered(): number {
    return this.#inner.answered;
  }

  lags(): readonly KindLag[] {
    const lags = this.#inner.lags?.() ?? [];
    this.#lagging(lags);
    return lags;
  }

  drive(driver: Parameters<PullMachine['drive']>[0]): void {
    this.#inner.drive(driver);
  }

  /** What was taken is told before the sender tells what was refused: an answer may refuse what an earlier one seemed to take. */
  receive(message: PullRequest): void {
    if (message.type === 'ack') this.#acknowledged(message);
    this.#inner.receive(message);
  }

  next(): PullResponse | undefined {
    const message = this.#inner.next();
    if (message?.type === 'delta') this.#sent.set(message.number, objectsOf(message));
    return message;
  }

  end(reason?: RelayError): void {
    this.#sent.clear();
    this.#inner.end(reason);
  }

  #acknowledged({ number, verdict, refused }: Ack): void {
    const objects = this.#sent.get(number);
    // What is held is answered once more, under the same number.
    if (verdict === 'held' || objects === undefined) return;
    this.#sent.delete(number);
    if (verdict === 'stale') return;
    this.#taken(objects.filter((object) => !refused.some(({ key }) => isSame(key, object))));
  }
}

/** The objects that are wholly there with this delta. */
function objectsOf({ kind, upserts, deletes }: Delta): Sent[] {
  const whole = upserts.filter(({ part, body }) => part === undefined || part.offset + body.byteLength >= part.total);
  return [
    ...whole.map(({ namespace, name, hash }) => ({ ...kind, namespace, name, hash })),
    ...deletes.map(({ namespace, name }) => ({ ...kind, namespace, name })),
  ];
}

function isSame(a: ObjectKey, b: ObjectKey): boolean {
  return a.kind === b.kind && a.group === b.group && a.namespace === b.namespace && a.name === b.name;
}
