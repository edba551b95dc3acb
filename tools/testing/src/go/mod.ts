/** Programs and files from Go modules. */
export { goModuleFolder, goProgram } from './modules.ts';
