/**
 * Makes the stack traces of a bundle name the lines of its sources. Node's own support reads the source map of every
 * file that it loads, also if no stack is ever printed; this reads a map when the first stack needs it.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url).href;
/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

Error.prepareStackTrace = (error, sites) =>
  [headOf(error), ...sites.map((site) => `    at ${inSources(site)}`)].join('\n');

/** As Node does it, with the code of its own errors. @param {Error} error */
function headOf(error) {
  try {
    const { name, code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isNodes = typeof code === 'string' && code.startsWith('ERR_');
    return isNodes ? `${name} [${code}]: ${message}` : Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** @param {NodeJS.CallSite} site */
function inSources(site) {
  const text = String(site);
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith(folder) || line === null || column === null) return text;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return text;
  const source = fileURLToPath(new URL(entry.originalSource, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

/** @param {string} file */
function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Without a map the stack names the bundle. @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
