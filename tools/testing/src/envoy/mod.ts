/** A real Envoy for tests: found or fetched, started on loopback, and queried through its admin interface. */
export { EnvoyAdmin } from './admin.ts';
export { type EnvoyProgram, envoyAtHand, envoyProgram, fetchedEnvoy } from './program.ts';
export { type Envoy, type EnvoyOptions, startEnvoy } from './server.ts';
export { envoyRejects } from './validate.ts';
