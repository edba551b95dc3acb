/** A simulated API server in a separate process, without controllers. Ends when its parent does. */
import process from 'node:process';
import { type KubeObject, startKubeSim } from '@meshrelay/kube-sim';

/** The first message: its initial objects. */
export interface ApiServerBegin {
  readonly name: string;
  readonly objects: readonly KubeObject[];
}

/** The reply: its address and credentials. */
export interface ApiServerPlace {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** The administrator's. */
  readonly token: string;
  readonly kubeconfig: string;
}

process.once('disconnect', () => process.exit(0));
process.once('message', async ({ name, objects }: ApiServerBegin) => {
  const { url, ca, token, kubeconfig } = await startKubeSim({ name, objects, controllers: false });
  process.send?.({ url, ca, token, kubeconfig } satisfies ApiServerPlace);
});
