/** The conformance suite against the simulator; `conformance.kube.test.ts` runs it against a real API server. */
import { test } from '@meshrelay/testing';
import { targetOf } from '@meshrelay/testing/api-server';
import { startKubeSim } from '../src/mod.ts';
import { CASES, prepare, runCase } from './conformance/suite.ts';

const sim = await startKubeSim({ controllers: false });
const target = targetOf(sim.kubeconfig);

await prepare(target);
test.after(async () => sim[Symbol.asyncDispose]());
for (const each of CASES) test(each.name, () => runCase(target, each));

test.run();
