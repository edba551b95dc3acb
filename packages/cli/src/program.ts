/** The commands of meshctl. */
import type { Command } from 'commander';
import { addApprove } from './commands/approve.ts';
import { addCheck } from './commands/check.ts';
import { addCluster } from './commands/cluster.ts';
import { addCompletion } from './commands/completion.ts';
import { addCreate } from './commands/create.ts';
import { addDescribe } from './commands/describe.ts';
import { addDiscover } from './commands/discover.ts';
import { addEnvoy } from './commands/envoy.ts';
import { addExplain } from './commands/explain.ts';
import { addFence } from './commands/fence.ts';
import { addInstall, addUninstall, addUpgrade } from './commands/install.ts';
import { addLogs } from './commands/logs.ts';
import { addPause } from './commands/pause.ts';
import { addPki } from './commands/pki.ts';
import { addPlan } from './commands/plan.ts';
import { addPlugin } from './commands/plugin.ts';
import { addRelay } from './commands/relay.ts';
import { addSupportBundle } from './commands/support-bundle.ts';
import { addToken } from './commands/token.ts';
import { addTop } from './commands/top.ts';
import { addTranslate } from './commands/translate.ts';
import { addVersion } from './commands/version.ts';
import { programOf } from './program-of.ts';

export function createProgram(): Command {
  return programOf([
    addInstall,
    addUpgrade,
    addUninstall,
    addDiscover,
    addTranslate,
    addPlan,
    addCreate,
    addExplain,
    addDescribe,
    addLogs,
    addTop,
    addCluster,
    addToken,
    addRelay,
    addPki,
    addFence,
    addEnvoy,
    addPlugin,
    addPause,
    addApprove,
    addCheck,
    addSupportBundle,
    addCompletion,
    addVersion,
  ]);
}
