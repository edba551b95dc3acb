/** Tests of calls that meshctl refuses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import type { Result } from './run-here.ts';

export interface BadCall {
  readonly what: string;
  readonly args: readonly string[];
  /** Parts of the message. */
  readonly says: readonly string[];
  /** The text of `kubeconfig.yaml` in the folder of the call. */
  readonly kubeconfig?: string;
}

/** A kubeconfig that parses, of a server that does not exist. */
export const GOOD_SHAPE =
  'apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\nusers: [{name: a, user: {token: x}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\n';

/** Without the machine's own kubeconfigs. */
export const bare = (home: string): NodeJS.ProcessEnv => ({ HOME: home, KUBECONFIG: '' });

/** A test for each call: it ends with 1 and a message for the user. */
export function testBadCalls(
  run: (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) => Promise<Result>,
  calls: readonly BadCall[],
): void {
  for (const { what, args, says, kubeconfig } of calls) {
    test(`reports ${what}`, async () => {
      using folder = temporaryFolder();
      if (kubeconfig !== undefined) writeFileSync(join(folder.path, 'kubeconfig.yaml'), kubeconfig);
      const { code, stdout, stderr } = await run(args, folder.path, bare(folder.path));
      assert.equal([code, stdout.replace(/^Registering .*\n/, '')], [1, ''], stderr);
      assert.match(stderr, /^error: /);
      assert.not.match(stderr, 'which is a bug');
      assert.not.match(stderr, '\n    at ');
      for (const part of says) assert.match(stderr, part);
    });
  }
}
