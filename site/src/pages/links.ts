/** Links between Markdown files of the checkout, as links of the site. */
import { posix } from 'node:path';
import type { Pages } from './pages.ts';

/** Where files that are not pages are shown. */
const REPOSITORY = 'https://github.com/meshrelay/meshrelay/tree/main';

/**
 * The link on the site: another page by its absolute path, any other file in the repository. Links to other sites and
 * within a page stay as they are.
 * @param from the file that contains the link, relative to the root of the checkout
 */
export function siteLink(pages: Pages, from: string, link: string): string {
  if (/^([a-z]+:|#|\/)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(from), path).replace(/\/$/, '');
  const page = pages.get(target) ?? pages.get(`${target}/README.md`);
  const place = page === undefined ? `${REPOSITORY}/${target}` : `/${page.route}`;
  return anchor === undefined ? place : `${place}#${anchor}`;
}
