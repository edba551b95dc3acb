#!/usr/bin/env node
/** meshctl: the program. */
import process from 'node:process';
import { runCommand } from './run-command.ts';

await runCommand(process.argv.slice(2));
