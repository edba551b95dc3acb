/** Single-file components, which only VitePress compiles. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  // biome-ignore lint/style/noDefaultExport: a component is one.
  export default component;
}
