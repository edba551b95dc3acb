/** Whether servers have the last state of every object that agents have sent. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Program } from '@meshrelay/local-fleet';
import { healthPortOf } from './loop-delay.ts';

/** By cluster, the number of changes of each object, in the order of its objects. */
export type Revisions = Readonly<Record<string, readonly number[]>>;

interface Line {
  readonly cluster?: string;
  readonly object?: {
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly kubernetes?: { readonly podLabels: { readonly revision?: string } };
      readonly kubeService?: { readonly labels: { readonly revision?: string } };
    };
  };
}

/** Objects whose last state no server has. */
export async function countLost(programs: readonly Program[], revisions: Revisions): Promise<number> {
  const missing = new Map<string, number>();
  for (const [cluster, each] of Object.entries(revisions))
    for (const [index, revision] of each.entries()) missing.set(`${cluster}/app-${index}`, revision);
  for (const program of programs) {
    const { body } = await fetch(`http://127.0.0.1:${healthPortOf(program)}/snapshots/input`);
    for await (const text of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
      const { cluster, object } = JSON.parse(text) as Line;
      const { kubernetes, kubeService } = object?.spec ?? {};
      const revision = kubernetes?.podLabels.revision ?? kubeService?.labels.revision;
      const id = `${cluster}/${object?.metadata.name}`;
      if (revision !== undefined && missing.get(id) === Number(revision)) missing.delete(id);
    }
  }
  return missing.size;
}
