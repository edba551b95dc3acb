/** Observes a pull stream for the objects that the agent accepts; the sender itself reports rejections only. */
import {
  type KindLag,
  type ObjectKey,
  observed,
  type PullMachine,
  type PullRequest,
  type PullResponse,
} from '@meshrelay/relay-protocol';

type Delta = Extract<PullResponse, { readonly type: 'delta' }>;
/** An object as sent; a deletion has no hash. */
type Sent = ObjectKey & { readonly hash?: string };
type Ack = Extract<PullRequest, { readonly type: 'ack' }>;

/**
 * @param taken receives the objects whose sent state, or deletion, the agent accepted. It is called before the sender
 * reports rejections, because an answer may reject an object that an earlier answer seemed to accept
 * @param lagging receives the agent's lag with each heartbeat
 */
export function observedPull(
  sender: PullMachine,
  taken: (objects: readonly Sent[]) => void,
  lagging: (lags: readonly KindLag[]) => void = () => undefined,
): PullMachine {
  /** The objects of each unanswered delta. */
  const sent = new Map<number, readonly Sent[]>();
  const acknowledged = ({ number, result, refused }: Ack): void => {
    const objects = sent.get(number);
    // The agent answers a held delta once more, under the same number.
    if (result === 'held' || objects === undefined) return;
    sent.delete(number);
    if (result !== 'stale') taken(objects.filter((object) => !refused.some(({ key }) => isSame(key, object))));
  };
  return observed(sender, {
    receiving: (message) => {
      if (message.type === 'ack') acknowledged(message);
    },
    sending: (message) => {
      if (message.type === 'delta') sent.set(message.number, objectsOf(message));
    },
    lagging,
    ending: () => sent.clear(),
  });
}

/** The objects that this delta completes. */
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
