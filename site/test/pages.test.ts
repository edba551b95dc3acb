import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import { siteLink } from '../src/pages/links.ts';
import { sidebarOf } from '../src/pages/navigation.ts';
import { readPages } from '../src/pages/pages.ts';
import { changesOn } from '../src/playground/changes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = readPages(root);

test('documents link to pages of the site, and to the repository for other files', () => {
  const link = (to: string) => siteLink(pages, 'docs/tasks/shift-traffic.md', to);
  assert.is(link('join-meshes.md'), '/tasks/join-meshes.md');
  assert.is(link('README.md#try-an-example-offline'), '/tasks/index.md#try-an-example-offline');
  assert.is(link('../../GLOSSARY.md'), '/glossary.md');
  assert.is(link('..'), '/index.md');
  assert.is(link('../../e2e/README.md'), 'https://github.com/meshrelay/meshrelay/tree/main/e2e/README.md');
  for (const same of ['#weights', 'https://istio.io', 'mailto:a@example.com']) assert.is(link(same), same);
});

test('the sidebar has each page but the front page once', () => {
  const links = sidebarOf(root, pages).flatMap(({ items = [] }) => items.map(({ link }) => link));
  assert.is(new Set(links).size, links.length);
  const others = [...pages.values()].filter(({ route }) => route !== 'index.md');
  assert.equal([...links].sort(), others.map(({ route }) => `/${route.replace(/\.md$/, '')}`).sort());
});

test('examples of a page are those with the name of a file', () => {
  const policy = 'kind: TrafficPolicy\nmetadata: { name: canary }\n';
  const markdown = `# A\n\`\`\`yaml\n# canary.yaml\n${policy}\`\`\`\n\`\`\`yaml\nfield: 1\n\`\`\`\n\`\`\`yaml mistake\n# wrong.yaml\n${policy}\`\`\`\n`;
  assert.equal(changesOn('A', markdown), [
    { page: 'A', name: 'canary.yaml', text: policy, subject: 'trafficpolicy/canary' },
  ]);
});

test.run();
