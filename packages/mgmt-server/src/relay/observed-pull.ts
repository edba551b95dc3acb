/** A pull stream, watched for what the agent takes: the sender itself tells of refusals only. */
import {
  type KindLag,
  type ObjectKey,
  observed,
  type PullMachine,
  type PullRequest,
  type PullResponse,
} from '@meshrelay/relay-protocol';

type Delta = Extract<PullResponse, { readonly type: 'delta' }>;
/** An object as it was sent; a deletion has no hash. */
type Sent = ObjectKey & { readonly hash?: string };
type Ack = Extract<PullRequest, { readonly type: 'ack' }>;

/**
 * @param taken told of the objects whose sent state, or deletion, the agent accepted. What was taken is told before the sender tells what was refused: an
 * answer may refuse what an earlier one seemed to take
 * @param lagging told with each heartbeat how far the agent is behind
 */
export function observedPull(
  sender: PullMachine,
  taken: (objects: readonly Sent[]) => void,
  lagging: (lags: readonly KindLag[]) => void = () => undefined,
): PullMachine {
  /** The objects of each delta that is not answered yet. */
  const sent = new Map<number, readonly Sent[]>();
  const acknowledged = ({ number, result, refused }: Ack): void => {
    const objects = sent.get(number);
    // What is held is answered once more, under the same number.
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
