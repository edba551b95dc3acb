/** Installs Envoy for tests and the demo: `npm run fetch:envoy`. */
import process from 'node:process';
import { fetchedEnvoy } from '@meshrelay/testing/envoy';

try {
  const { path } = await fetchedEnvoy((line) => console.log(line));
  console.log(`Envoy: ${path}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
