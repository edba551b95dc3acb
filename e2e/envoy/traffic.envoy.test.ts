/**
 * Requests between two clusters of real Envoys. The real agents configure, identify and certify the Envoys, under
 * policies that the real server translates. Each pod has its own network and address.
 */

import { test } from '@meshrelay/testing';
import { envoyProgram } from '@meshrelay/testing/envoy';
import { inOwnNetwork } from '@meshrelay/testing/network';
import { FLEET, POLICIES } from './support/fleet.ts';
import { ModuleHost } from './support/module-host.ts';
import { Fixture } from './support/proxy-fixture.ts';
import { failureTests } from './traffic/failures.ts';
import { identityTests } from './traffic/identities.ts';
import { moduleTests } from './traffic/modules.ts';
import { policyTests } from './traffic/policies.ts';
import { rejectionTests } from './traffic/rejections.ts';

const program = await envoyProgram();
if (program !== undefined)
  await inOwnNetwork('only requests of two clusters find their way', import.meta.url, async () => {
    const modules = await ModuleHost.start();
    test.after(() => modules[Symbol.asyncDispose]());
    const fleet = await Fixture.start(program, FLEET, POLICIES, [modules.entry]);
    test.after(() => fleet[Symbol.asyncDispose]());
    policyTests(fleet);
    rejectionTests(fleet);
    moduleTests(fleet, modules);
    identityTests(fleet);
    failureTests(fleet);
  });

test.run();
