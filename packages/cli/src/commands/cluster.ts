/** `meshctl cluster`: its commands, in the order of the help. */
import type { Command } from 'commander';
import { addRbac } from './rbac.ts';
import { addRegister } from './register.ts';
import { addDeregister, addList, addReadmit, addResume, addRevoke, addSuspend } from './registered-clusters.ts';

export function addCluster(program: Command): void {
  const cluster = program.command('cluster').summary('register, list and revoke clusters');
  addRegister(cluster);
  addList(cluster);
  addRevoke(cluster);
  addRbac(cluster);
  addReadmit(cluster);
  addSuspend(cluster);
  addResume(cluster);
  addDeregister(cluster);
}
