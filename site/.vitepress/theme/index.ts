/** The default theme, with the playground below the text of its page. */
import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent, h } from 'vue';

const Playground = defineAsyncComponent(() => import('./Playground.vue'));

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default {
  extends: DefaultTheme,
  Layout() {
    const { page } = useData();
    const slots = page.value.relativePath === 'playground.md' ? { 'doc-after': () => h(Playground) } : {};
    return h(DefaultTheme.Layout, null, slots);
  },
};
