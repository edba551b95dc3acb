/** Makes a build of the present sources, unless there is one. */
import { builtPrograms } from './built-program.ts';

builtPrograms();
