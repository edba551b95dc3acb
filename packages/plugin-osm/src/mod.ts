/** Open Service Mesh for Meshrelay: discovery and translation. */
export { CAPABILITIES } from './capabilities.ts';
export { default } from './plugin.ts';
