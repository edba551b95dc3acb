/** The real Kubernetes API server of the suites named `*.kube.test.ts`. */
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The kubeconfig, as YAML, of the server that `npm run test:kube` has started, with all permissions.
 * @throws Error if the tests were started in another way
 */
export function realApiServer(): string {
  const path = process.env['MESHRELAY_REAL_KUBECONFIG'];
  if (path === undefined) {
    throw new Error(
      'this suite needs a real API server: run it by npm run test:kube -- PATTERN, or name the kubeconfig of one you can spare in MESHRELAY_REAL_KUBECONFIG',
    );
  }
  return readFileSync(path, 'utf8');
}
