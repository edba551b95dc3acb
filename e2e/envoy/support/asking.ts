/** How tests ask, and what they make of answers. */
import { assert } from '@meshrelay/testing';
import type { Answer, Requested, Served } from './requests.ts';
import type { RunningPod } from './workload-cluster.ts';

/** Has a pod's application ask. */
export function ask({ pod }: RunningPod, url: string, more: Omit<Requested, 'url'> = {}): Promise<Answer> {
  return pod.do<Answer>('ask', { url, ...more });
}

/** Who answered, with what it was asked. @throws where it was no success */
export function served({ status, body }: Answer): Served {
  assert.is(status, 200, body);
  return JSON.parse(body) as Served;
}

/** Asks all the time, until told to stop; keeps what did not come through. */
export class Visitor implements AsyncDisposable {
  readonly bad: string[] = [];
  /** How often each pod answered. */
  readonly answered = new Map<string, number>();
  visits = 0;
  #going = true;
  readonly #done: Promise<void>;

  constructor(from: RunningPod, url: string) {
    this.#done = this.#visit(from, url);
  }

  async #visit(from: RunningPod, url: string): Promise<void> {
    while (this.#going) {
      try {
        const answer = await ask(from, url);
        if (answer.status === 200) {
          const { pod } = served(answer);
          this.answered.set(pod, (this.answered.get(pod) ?? 0) + 1);
        } else this.bad.push(`${answer.status} ${answer.body}`);
      } catch (error) {
        this.bad.push(String(error));
      }
      this.visits += 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#going = false;
    await this.#done;
  }
}
