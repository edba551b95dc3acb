/** VitePress builds the site from docs/, charts and the glossary. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { siteLink } from '../src/pages/links.ts';
import { sidebarOf } from '../src/pages/navigation.ts';
import { excludedFiles, readPages } from '../src/pages/pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = readPages(root);
/** The file of each page, by its route and by itself: VitePress names a page by either. */
const files = new Map(
  [...pages.values()].flatMap(({ file, route }) => [[route, file] as const, [file, file] as const]),
);
const { version } = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'));
const base = process.env['MESHRELAY_SITE_BASE'] ?? '/';

const FRONT_PAGE = {
  layout: 'home',
  hero: {
    name: 'Meshrelay',
    text: 'One management plane for the service meshes of many clusters',
    tagline:
      'Write a policy once. Meshrelay translates it for Istio, OSM and Envoy in every cluster, shows what would change before it does, and deletes nothing that it cannot account for.',
    actions: [
      { theme: 'brand', text: 'Tutorial', link: '/tutorial' },
      { theme: 'alt', text: 'Install', link: '/operations/install' },
      { theme: 'alt', text: 'Playground', link: '/playground' },
    ],
  },
};

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default defineConfig({
  title: 'Meshrelay',
  description: 'One management plane for the service meshes of many Kubernetes clusters.',
  lang: 'en',
  base,
  srcDir: '..',
  srcExclude: excludedFiles(root),
  outDir: '../dist/site',
  cacheDir: '../.cache/site',
  cleanUrls: false,
  rewrites: Object.fromEntries([...pages.values()].map(({ file, route }) => [file, route])),
  markdown: {
    // Documents are written for other viewers, too: what looks like HTML or attributes is text.
    html: false,
    attrs: { disable: true },
    config(md) {
      md.core.ruler.push('links-of-the-checkout', ({ tokens, env }) => {
        const from = fileOf(env);
        for (const { children } of tokens)
          for (const token of children ?? []) {
            const link = token.type === 'link_open' ? token.attrGet('href') : null;
            if (link !== null) token.attrSet('href', siteLink(pages, from, link));
          }
      });
    },
  },
  vite: {
    // Vite's esbuild does not know the language version of tsconfig.base.json.
    esbuild: { target: 'es2022', tsconfigRaw: '{}' },
    build: { target: 'es2022', chunkSizeWarningLimit: 2000 },
    worker: { format: 'es' },
    plugins: [
      {
        // The pages are outside of this package, where its dependencies are not found.
        name: 'dependencies-of-pages',
        enforce: 'pre',
        resolveId(source, importer, options) {
          if (importer?.endsWith('.md') !== true || !/^vue(\/|$)/.test(source)) return undefined;
          return this.resolve(source, fileURLToPath(import.meta.url), { ...options, skipSelf: true });
        },
      },
    ],
  },
  transformPageData(page) {
    if (page.relativePath === 'playground.md') page.frontmatter = { aside: false, prev: false, next: false };
    if (page.relativePath === 'index.md') page.frontmatter = FRONT_PAGE;
  },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Tasks', link: '/tasks/' },
      { text: 'Reference', link: '/reference/kinds/' },
      { text: 'Playground', link: '/playground' },
      { text: version, items: [{ text: 'All releases', link: 'https://github.com/meshrelay/meshrelay/releases' }] },
    ],
    sidebar: sidebarOf(root, pages),
    outline: [2, 3],
    search: {
      provider: 'local',
      // Decisions are for maintainers; they would hide what users look for.
      options: { _render: (text, env, md) => (env.relativePath.startsWith('adr/') ? '' : md.render(text, env)) },
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/meshrelay/meshrelay' }],
  },
});

/** The file of the page that is rendered, relative to the root of the checkout. */
function fileOf({ relativePath }: { readonly relativePath: string }): string {
  const file = files.get(relativePath);
  if (file === undefined) throw new Error(`${relativePath}: no such page`);
  return file;
}
