/** Linkerd. Hosts find the plugin as the default export. */
export { linkerd as default } from './linkerd.ts';
