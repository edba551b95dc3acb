/** Sends requests in tests and evaluates the responses. */
import { assert } from '@meshrelay/testing';
import type { Answer, Requested, Served } from './requests.ts';
import type { RunningPod } from './workload-cluster.ts';

/** Makes a pod's application send a request. */
export function ask({ pod }: RunningPod, url: string, more: Omit<Requested, 'url'> = {}): Promise<Answer> {
  return pod.do<Answer>('ask', { url, ...more });
}

/** The responding pod, with the request it received. @throws if the request failed */
export function served({ status, body }: Answer): Served {
  assert.is(status, 200, body);
  return JSON.parse(body) as Served;
}

/** Sends requests continuously until stopped; collects the failed ones. */
export class Visitor implements AsyncDisposable {
  readonly bad: string[] = [];
  /** How often each pod responded. */
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
