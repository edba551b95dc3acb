/** Program version of each replica, if announced. */
import { assert, test } from '@meshrelay/testing';
import { PROGRAM } from '../../src/program.ts';
import { replicaPrograms } from '../../src/replicas/replica-programs.ts';

test('this replica, then the live ones; a version that is not announced stays undefined', () => {
  const heard = new Map([
    ['server-2', new Map([['', '{"vector":{}}']])],
    ['server-1', new Map([['', '{"program":"meshrelay-mgmt-server/9.9.9","vector":{}}']])],
    ['server-3', new Map([['c1', '{}']])],
  ]);
  assert.equal(replicaPrograms('server-0', { peerAnnouncements: () => heard }), [
    { replica: 'server-0', program: PROGRAM },
    { replica: 'server-1', program: 'meshrelay-mgmt-server/9.9.9' },
    { replica: 'server-2', program: undefined },
    { replica: 'server-3', program: undefined },
  ]);
  assert.match(PROGRAM, /^meshrelay-mgmt-server\/\d+\.\d+\.\d+/);
});

test.run();
