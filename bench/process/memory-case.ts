/**
 * The case that measures memory, alone: modules of other cases would count as the program. Compiled by
 * compiled-case.ts.
 */
import { memory } from '../cases/memory.ts';
import { serveCase } from './serve-case.ts';

serveCase({ memory });
