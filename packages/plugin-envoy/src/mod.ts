/** Plain Envoy sidecars and gateways for Meshrelay. */
export { type BootstrapOptions, bootstrap } from './bootstrap.ts';
export { ADDRESS_LABEL, ROLE_LABEL } from './kinds.ts';
export { default } from './plugin.ts';
