/** The case that measures memory, and nothing else: what other cases load would be counted as the program. Compiled by compiled-case.ts. */
import { memory } from './cases/memory.ts';
import { serveCase } from './serve-case.ts';

serveCase({ memory });
