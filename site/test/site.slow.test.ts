/** The site as it is published: built, served, and used in a browser. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import { chromiumProgram } from '@meshrelay/testing/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

const folder = mkdtempSync(join(tmpdir(), 'meshrelay-site-'));
let browser: Browser;
let server: Server;
let origin = '';

test.before(async () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--out', folder], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  server = serve(folder);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { path, env } = await chromiumProgram();
  browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
});

test.after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

function serve(root: string): Server {
  return createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = join(root, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const found = [file, `${file}.html`].find((path) => extname(path) !== '' && existsSync(path));
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': TYPES[extname(found ?? '')] ?? '' });
    response.end(found === undefined ? '' : readFileSync(found));
  });
}

/** Opens a page. `problems` collects errors of scripts and failed requests. */
async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  page.on('response', (response) => response.ok() || problems.push(`${response.status()} ${response.url()}`));
  await page.goto(`${origin}${path}`);
  return { page, problems };
}

test('every page of the front page opens, with its heading', async () => {
  const { page, problems } = await open('/');
  const links = await page.locator('.vp-doc a[href^="/"]').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  const paths = [...new Set(links.map((link) => link?.replace(/#.*/, '')))];
  assert.ok(paths.length > 40, `${paths.length} links`);
  for (const path of paths) {
    const response = await page.request.get(`${origin}${path}`);
    assert.is(response.status(), 200, path);
    assert.match(await response.text(), '<h1 id=', path);
  }
  assert.equal(problems, []);
  await page.close();
});

test('an unknown argument is named', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--port'], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stderr, "site: Unknown option '--port'");
  assert.match(stderr, 'usage: npm run site');
});

test('search finds a page', async () => {
  const { page, problems } = await open('/tutorial');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('#localsearch-input').fill('certificate rotation');
  await page.locator('.VPLocalSearchBox .result').first().waitFor();
  assert.equal(problems, []);
  await page.close();
});

test('the playground plans a change, names a mistake by its line, and explains', async () => {
  const { page, problems } = await open('/playground');
  const output = page.locator('.playground pre');
  await output.filter({ hasText: '2 clusters, 1 destination: 4 to create' }).waitFor();
  const editor = page.getByRole('textbox', { name: 'Change' });
  await editor.fill((await editor.inputValue()).replace('weight: 90', 'wait: 90'));
  await output.filter({ hasText: /change:\d+:\d+: .*wait/ }).waitFor();
  await page.getByLabel('Example').selectOption('ratings-slow.yaml');
  await output.filter({ hasText: 'TrafficPolicy meshrelay/ratings-slow' }).waitFor();
  await page.getByRole('tab', { name: 'Explain' }).click();
  await output.filter({ hasText: 'faultInjection' }).waitFor();
  assert.equal(problems, []);
  await page.close();
});

test.run();
