/** An API server outside the measured process, with a kubeconfig in a file. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@meshrelay/kube-sim';
import type { ApiServerBegin, ApiServerPlace } from './api-server-process.ts';

const PROGRAM = fileURLToPath(new URL('./api-server-process.ts', import.meta.url));

export class ApiServer implements AsyncDisposable {
  readonly place: ApiServerPlace;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  /** @throws Error if the process ends first */
  static async start(name: string, objects: readonly KubeObject[]): Promise<ApiServer> {
    const child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' });
    child.send({ name, objects } satisfies ApiServerBegin);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the API server of ${name} ended before it was ready`);
    });
    const [place] = (await Promise.race([once(child, 'message'), ended])) as [ApiServerPlace];
    ended.catch(() => undefined);
    return new ApiServer(child, place, await mkdtemp(join(tmpdir(), 'meshrelay-bench-')));
  }

  private constructor(child: ChildProcess, place: ApiServerPlace, folder: string) {
    this.place = place;
    this.kubeconfig = join(folder, 'kubeconfig');
    this.#child = child;
    this.#folder = folder;
    writeFileSync(this.kubeconfig, place.kubeconfig, { mode: 0o600 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}
