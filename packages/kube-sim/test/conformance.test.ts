/** The conformance suite against the simulator, or against the server of MESHRELAY_CONFORMANCE_KUBECONFIG. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from '@meshrelay/testing';
import { startKubeSim } from '../src/mod.ts';
import { targetOf } from './conformance/client.ts';
import { CASES, prepare, runCase } from './conformance/suite.ts';

const given = process.env['MESHRELAY_CONFORMANCE_KUBECONFIG'];
const sim = given === undefined ? await startKubeSim({ controllers: false }) : undefined;
const target = targetOf(sim?.kubeconfig ?? readFileSync(given as string, 'utf8'));

await prepare(target);
test.after(async () => sim?.[Symbol.asyncDispose]());
for (const each of CASES) test(each.name, () => runCase(target, each));

test.run();
