/** Runs the commands for a running installation, except for those that load mesh plugins. */
import type { Command } from 'commander';
import { addApprove } from '../../src/commands/approve.ts';
import { addCheck } from '../../src/commands/check.ts';
import { addPause } from '../../src/commands/pause.ts';
import {
  addDeregister,
  addList,
  addReadmit,
  addResume,
  addRevoke,
  addSuspend,
} from '../../src/commands/registered-clusters.ts';
import { addSupportBundle } from '../../src/commands/support-bundle.ts';
import { addToken } from '../../src/commands/token.ts';
import { meshctlWith } from './run-commands.ts';

const addRegistered = (program: Command): void => {
  const cluster = program.command('cluster');
  for (const add of [addList, addRevoke, addReadmit, addSuspend, addResume, addDeregister]) add(cluster);
};

export const meshctlOnline = meshctlWith(addRegistered, addToken, addPause, addApprove, addCheck, addSupportBundle);
