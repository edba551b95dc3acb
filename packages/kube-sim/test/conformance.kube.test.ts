/** The conformance suite against a real API server: the simulator behaves like Kubernetes. */
import { realApiServer, test } from '@meshrelay/testing';
import { targetOf } from '@meshrelay/testing/api-server';
import { CASES, prepare, runCase } from './conformance/suite.ts';

const target = targetOf(realApiServer());

await prepare(target);
for (const each of CASES) test(each.name, () => runCase(target, each));

test.run();
