/** The commands of meshctl. */
import { Command, Help, type Option } from 'commander';
import { addApprove } from './commands/approve.ts';
import { addCheck } from './commands/check.ts';
import { addCluster } from './commands/cluster.ts';
import { addDescribe } from './commands/describe.ts';
import { addDiscover } from './commands/discover.ts';
import { addEnvoy } from './commands/envoy.ts';
import { addExplain } from './commands/explain.ts';
import { addFence } from './commands/fence.ts';
import { addLogs } from './commands/logs.ts';
import { addPause } from './commands/pause.ts';
import { addPki } from './commands/pki.ts';
import { addPlan } from './commands/plan.ts';
import { addRelay } from './commands/relay.ts';
import { addToken } from './commands/token.ts';
import { addTop } from './commands/top.ts';
import { addTranslate } from './commands/translate.ts';
import { addVersion } from './commands/version.ts';

export function createProgram(): Command {
  const program = new Command('meshctl')
    .description('meshctl manages Meshrelay: one API for the service meshes of many Kubernetes clusters.')
    .showSuggestionAfterError(true)
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addDiscover(program);
  addTranslate(program);
  addPlan(program);
  addExplain(program);
  addDescribe(program);
  addLogs(program);
  addTop(program);
  addCluster(program);
  addToken(program);
  addRelay(program);
  addPki(program);
  addFence(program);
  addEnvoy(program);
  addPause(program);
  addApprove(program);
  addCheck(program);
  addVersion(program);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
    command.exitOverride().configureOutput({ outputError: () => undefined });
  return program;
}

/** Omits the default of repeatable options, which is always empty. */
function describeOption(option: Option): string {
  return Array.isArray(option.defaultValue) ? option.description : new Help().optionDescription(option);
}
